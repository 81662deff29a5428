import type uPlot from 'uplot'
import type { SampleRing } from '../feed/sample-ring.ts'

/** The samples that a chart shows, and the stretch of time. */
export interface Samples {
  readonly ring: SampleRing
  readonly from: number
  readonly to: number
  /** True while they are being fetched. */
  readonly waiting?: () => boolean
}

/** For how long a chart that moves with time looks the same. */
export function millisecondsPerPixel({ scales, bbox }: uPlot): number {
  return ((scales.x.max as number) - (scales.x.min as number)) / Math.max(1, bbox.width)
}
