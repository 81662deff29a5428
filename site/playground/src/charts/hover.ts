import { signal } from '@preact/signals'

/** The sample under the pointer of any chart; all charts show it. */
export const hovered = signal<number | undefined>(undefined)

/** Index of the point that covers a sample. */
export function pointAt(points: readonly { sample: number }[], sample: number): number {
  let low = 0
  let high = points.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (points[middle].sample < sample) low = middle + 1
    else high = middle
  }
  return low
}
