import { batch, computed, signal } from '@preact/signals'
import { get, systemPath } from '../api/client.ts'
import type { HistorySample } from '../api/types.ts'
import { invalidateAll } from './frames.ts'
import { MarkRing } from './mark-ring.ts'
import { readMarks } from './marks.ts'
import { SampleRing } from './sample-ring.ts'
import { PAST_SAMPLES, type SystemFeed } from './system-feed.ts'

/** Spans to choose from, milliseconds. */
export const SPANS: readonly number[] = [15_000, 60_000, 300_000, 1_800_000]

/** Which stretch of time the charts show: the latest `span`, or one that stands still. */
export class TimeWindow {
  readonly span = signal(60_000)
  /** End of a window that stands still; `null` while it follows the present. */
  readonly end = signal<number | null>(null)
  readonly live = computed(() => this.end.value === null)
  /** True while the past is being fetched. */
  readonly loading = signal(false)
  /** True when the server left samples out because there were too many. */
  readonly thinned = signal(false)
  private readonly feed: SystemFeed
  private past: SampleRing | undefined
  private pastMarks: MarkRing | undefined
  private request: AbortController | undefined

  constructor(feed: SystemFeed) {
    this.feed = feed
  }

  /** Where the samples of the window are. */
  get ring(): SampleRing {
    return this.past ?? this.feed.ring
  }

  /** Where the marks of the window are. */
  get marks(): MarkRing {
    return this.pastMarks ?? this.feed.marks
  }

  get to(): number {
    const end = this.end.peek()
    return end ?? Math.max(this.feed.ring.last, 0)
  }

  get from(): number {
    return this.to - this.span.peek()
  }

  /** Shows the latest `span` milliseconds. */
  follow(span = this.span.peek()): void {
    this.request?.abort()
    const wider = span !== this.span.peek()
    this.past = undefined
    this.pastMarks = undefined
    batch(() => {
      this.span.value = span
      this.end.value = null
      this.loading.value = false
      this.thinned.value = false
    })
    if (wider) void this.feed.seed(span).catch(() => {})
    invalidateAll()
  }

  /** Stands still where it is. */
  pause(): void {
    if (this.live.peek()) void this.show(this.from, this.to)
  }

  /** Moves by a part of its length; forwards past the present it follows again. */
  move(part: number): void {
    const shift = part * this.span.peek()
    if (this.to + shift >= this.feed.ring.last) this.follow()
    else void this.show(this.from + shift, this.to + shift)
  }

  /** Half or twice as long, around the middle; the present stays at the edge while it is followed. */
  zoom(factor: number): void {
    const span = Math.max(1_000, Math.min(86_400_000, this.span.peek() * factor))
    const middle = (this.from + this.to) / 2
    if (this.live.peek()) this.follow(span)
    else void this.show(middle - span / 2, middle + span / 2)
  }

  /** Stands still at a stretch of time and fetches it. */
  async show(from: number, to: number): Promise<void> {
    this.request?.abort()
    const request = new AbortController()
    this.request = request
    batch(() => {
      this.span.value = to - from
      this.end.value = to
      this.loading.value = true
    })
    invalidateAll()
    try {
      const { samples, thinned } = await get<{ samples: HistorySample[]; thinned: boolean }>(
        systemPath(this.feed.id, '/samples'),
        { from: Math.max(0, Math.floor(from)), to: Math.max(1, Math.ceil(to) + 1), limit: PAST_SAMPLES },
        request.signal,
      )
      this.past = ringOf(samples, this.feed.ring.channels)
      this.thinned.value = thinned
      invalidateAll()
      this.pastMarks = await this.marksOf(samples, request.signal)
    } catch {
      // What the page still holds of that time stays in view.
    }
    if (request.signal.aborted) return
    this.loading.value = false
    invalidateAll()
  }

  /** What was marked between the first and the last of some samples. */
  private async marksOf(samples: readonly HistorySample[], signal: AbortSignal): Promise<MarkRing> {
    const marks = new MarkRing(4_096)
    for (const { time, drifts } of samples) if (drifts) marks.push(time, 'drift')
    const [from, to] = [samples[0]?.sequence ?? 0, samples.at(-1)?.sequence ?? 0]
    for (const kinds of ['alarm', 'feedback,correction'])
      await readMarks(this.feed.id, { kinds, from, to }, marks, signal)
    return marks
  }
}

/** Samples from the server as a ring. */
export function ringOf(samples: readonly HistorySample[], channels: number): SampleRing {
  const ring = new SampleRing(Math.max(1, samples.length), channels)
  for (const { time, values, likely } of samples) ring.push(time, values, likely)
  return ring
}
