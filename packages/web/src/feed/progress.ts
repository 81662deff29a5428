import type { Guarantee, Progress as KeptProgress, ProgressPoint, SystemDetail } from '@pb-oel/protocol'
import { signal } from '@preact/signals'
import { get, systemPath } from '../api/client.ts'

/** Points kept. When there are more, every other one goes. */
const POINTS = 600

/** Accuracy, bounds and weights so far: the points that the server has kept, then one from each look at the system. */
export class Progress {
  readonly points = signal<readonly ProgressPoint[]>([])
  private readonly id: string
  private step = 0

  constructor(id: string) {
    this.id = id
  }

  /** Reads the points that the server has kept. */
  async seed(): Promise<void> {
    const { points } = await get<KeptProgress>(systemPath(this.id, '/progress'))
    this.points.value = thin([...points, ...this.points.peek()])
  }

  add(detail: SystemDetail, guarantee: Guarantee): void {
    const { applies, ultimate, bestExpertAccuracy, value, promises } = guarantee
    const point: ProgressPoint = {
      sequence: detail.sequence,
      time: detail.lastSampleTime ?? Date.now(),
      accuracy: detail.accuracy,
      recentAccuracy: detail.recentAccuracy,
      applies,
      ...(promises && { certified: promises.accuracy.certified }),
      ...(guarantee.rounds ? { ultimate, bestExpertAccuracy, value } : {}),
      ...(detail.weights && { weights: detail.weights }),
    }
    const points = this.points.peek()
    if (points.length > 0 && points[points.length - 1].time >= point.time) return
    // The longer the progress, the rarer its points. The latest is always there.
    const kept =
      this.step++ % Math.max(1, Math.floor(points.length / (POINTS / 2))) === 0 ? points : points.slice(0, -1)
    this.points.value = thin([...kept, point])
  }
}

/** Every other point, when there are too many. The newest stays. */
export function thin<T>(points: readonly T[], most = POINTS): T[] {
  let kept = [...points]
  while (kept.length > most) kept = kept.filter((_, i) => (kept.length - 1 - i) % 2 === 0)
  return kept
}
