import type { AssessedSample, AssessedSamples } from '@pb-oel/protocol'
import { batch, computed, signal } from '@preact/signals'
import { get, systemPath } from '../api/client.ts'
import { invalidateAll } from './frames.ts'
import { MarkRing } from './mark-ring.ts'
import { readMarks } from './marks.ts'
import { NO_LEVEL, SampleRing } from './sample-ring.ts'
import { PAST_SAMPLES, type SystemFeed } from './system-feed.ts'

/** Spans to choose from, milliseconds. */
export const SPANS: readonly number[] = [15_000, 60_000, 300_000, 1_800_000]

/** The stretch of time that the charts show: the latest `span`, or one that stands still. */
export class TimeWindow {
  readonly span = signal(60_000)
  /** End of a window that stands still; `null` while it follows the present. */
  readonly end = signal<number | null>(null)
  readonly live = computed(() => this.end.value === null)
  /** True while the page fetches the past. */
  readonly loading = signal(false)
  /** True when there were too many samples, and the server left some out. */
  readonly thinned = signal(false)
  private readonly feed: SystemFeed
  private past: SampleRing | undefined
  private pastMarks: MarkRing | undefined
  private request: AbortController | undefined

  constructor(feed: SystemFeed) {
    this.feed = feed
  }

  /** The samples of the window. */
  get ring(): SampleRing {
    return this.past ?? this.feed.ring
  }

  /** The marks of the window. */
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

  /** Moves by a part of its length. Beyond the present it follows again. */
  move(part: number): void {
    const shift = part * this.span.peek()
    if (this.to + shift >= this.feed.ring.last) this.follow()
    else void this.show(this.from + shift, this.to + shift)
  }

  /** Makes the window shorter or longer around its middle. A window that follows keeps the present at its edge. */
  zoom(factor: number): void {
    const span = Math.max(1_000, Math.min(86_400_000, this.span.peek() * factor))
    const middle = (this.from + this.to) / 2
    if (this.live.peek()) this.follow(span)
    else void this.show(middle - span / 2, middle + span / 2)
  }

  /** Fetches a stretch of time and stands still there. */
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
      const { samples, thinned } = await get<AssessedSamples>(
        systemPath(this.feed.id, '/samples'),
        { from: Math.max(0, Math.floor(from)), to: Math.max(1, Math.ceil(to) + 1), limit: PAST_SAMPLES },
        request.signal,
      )
      this.past = ringOf(samples, this.feed.ring.channels)
      this.thinned.value = thinned
      invalidateAll()
      this.pastMarks = await this.marksOf(samples, request.signal)
    } catch {
      // The page goes on showing what it has of that time.
    }
    if (request.signal.aborted) return
    this.loading.value = false
    invalidateAll()
  }

  /** The marks between the first and the last of some samples. */
  private async marksOf(samples: readonly AssessedSample[], signal: AbortSignal): Promise<MarkRing> {
    const marks = new MarkRing(4_096)
    for (const { time, drifts } of samples) if (drifts) marks.push(time, 'drift')
    const [from, to] = [samples[0]?.sequence ?? 0, samples.at(-1)?.sequence ?? 0]
    for (const kinds of ['alarm', 'feedback,correction'])
      await readMarks(this.feed.id, { kinds, from, to }, marks, signal)
    return marks
  }
}

/** A ring with samples from the server. */
export function ringOf(samples: readonly AssessedSample[], channels: number): SampleRing {
  const ring = new SampleRing(Math.max(1, samples.length), channels)
  for (const { time, values, likely, trained } of samples) ring.push(time, values, trained ? likely : NO_LEVEL)
  return ring
}
