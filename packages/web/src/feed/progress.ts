import { signal } from '@preact/signals'
import { get, systemPath } from '../api/client.ts'
import type { Detail, Guarantee, ProgressPoint } from '../api/types.ts'

/** Points kept; when there are more, every other one goes. */
const POINTS = 600

/** The course of accuracy, bounds and expert weights: from the server, then from each look at it. */
export class Progress {
  readonly points = signal<readonly ProgressPoint[]>([])
  private readonly id: string
  private step = 0

  constructor(id: string) {
    this.id = id
  }

  /** Reads what the server has kept. */
  async seed(): Promise<void> {
    const { points } = await get<{ points: ProgressPoint[] }>(systemPath(this.id, '/progress'))
    this.points.value = thin([...points, ...this.points.peek()])
  }

  add(detail: Detail, guarantee: Guarantee): void {
    const { ultimate, bestExpertAccuracy, value } = guarantee
    const point: ProgressPoint = {
      time: detail.lastSampleTime ?? Date.now(),
      accuracy: detail.accuracy,
      recentAccuracy: detail.recentAccuracy,
      ...(guarantee.rounds ? { ultimate, bestExpertAccuracy, value } : {}),
      ...(detail.weights && { weights: detail.weights }),
    }
    const points = this.points.peek()
    if (points.length > 0 && points[points.length - 1].time >= point.time) return
    // As the course gets longer its points get rarer; the latest is always there.
    const kept =
      this.step++ % Math.max(1, Math.floor(points.length / (POINTS / 2))) === 0 ? points : points.slice(0, -1)
    this.points.value = thin([...kept, point])
  }
}

/** Every other point, when there are too many; the newest stays. */
export function thin<T>(points: readonly T[], most = POINTS): T[] {
  let kept = [...points]
  while (kept.length > most) kept = kept.filter((_, i) => (kept.length - 1 - i) % 2 === 0)
  return kept
}
