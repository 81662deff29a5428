import type { AssessedSample, Chart } from '@pb-oel/protocol'
import { batch, computed, signal } from '@preact/signals'
import { changeQuery } from '../router.ts'
import { readChart, ringOfChart, type Thinning, thinningOf } from './chart.ts'
import { invalidateAll } from './frames.ts'
import { MarkRing } from './mark-ring.ts'
import { markChart } from './marks.ts'
import { NO_LEVEL, SampleRing } from './sample-ring.ts'
import type { SystemFeed } from './system-feed.ts'

/** Spans to choose from, milliseconds. */
export const SPANS: readonly number[] = [15_000, 60_000, 300_000, 1_800_000, 21_600_000, 86_400_000]
/** Shortest and longest span, milliseconds: a year of a log can be looked at as a whole. */
const SHORTEST = 100
const LONGEST = 366 * 86_400_000
const USUAL = 60_000

/**
 * The stretch of time that the charts show: the latest `span`, or one that stands still. The address holds it, so that
 * it can be linked to, and so that back and forward undo and redo every step.
 */
export class TimeWindow {
  readonly span = signal(USUAL)
  /** End of a window that stands still; `null` while it follows the present. */
  readonly end = signal<number | null>(null)
  readonly live = computed(() => this.end.value === null)
  /** True while the page fetches the past. */
  readonly loading = signal(false)
  /** Why the past cannot be shown. */
  readonly problem = signal('')
  private readonly pastThinning = signal<Thinning | null>(null)
  /** What the charts leave out; `null` while they show every sample. */
  readonly thinning = computed(() => (this.live.value ? this.feed.thinning.value : this.pastThinning.value))
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

  /** Whether what the charts show is being fetched. */
  readonly waiting = (): boolean => this.loading.peek() || (this.live.peek() && this.feed.seeding.peek())

  get to(): number {
    const end = this.end.peek()
    if (end !== null) return end
    const { ring, detail } = this.feed
    // Before the first samples are here, the server has told when the last one came.
    return ring.last > 0 ? ring.last : (detail.peek()?.lastSampleTime ?? this.feed.serverNow())
  }

  get from(): number {
    return this.to - this.span.peek()
  }

  /** Shows the latest `span` milliseconds. */
  follow(span = this.span.peek()): void {
    changeQuery({ from: undefined, to: undefined, last: span === USUAL ? undefined : String(span / 1000) })
  }

  /** Stands still where it is. */
  pause(): void {
    if (this.live.peek()) this.show(this.from, this.to)
  }

  /** Moves by a part of its length. Beyond the present it follows again. */
  move(part: number): void {
    const shift = part * this.span.peek()
    if (this.to + shift >= this.feed.ring.last && part > 0) this.follow()
    else this.show(this.from + shift, this.to + shift)
  }

  /** Makes the window shorter or longer around its middle. A window that follows keeps the present at its edge. */
  zoom(factor: number): void {
    const span = Math.max(SHORTEST, Math.min(LONGEST, this.span.peek() * factor))
    const middle = (this.from + this.to) / 2
    if (this.live.peek()) this.follow(span)
    else this.show(middle - span / 2, middle + span / 2)
  }

  /** Stands still at a stretch of time. */
  show(from: number, to: number): void {
    if (!Number.isFinite(from) || !Number.isFinite(to)) return
    const first = Math.max(0, Math.round(from))
    const last = Math.max(first + SHORTEST, Math.round(to))
    changeQuery({ last: undefined, from: new Date(first).toISOString(), to: new Date(last).toISOString() })
  }

  /** Takes the stretch of time that an address names: `from` and `to` as ISO 8601, or `last` in seconds. */
  take({ from, to, last }: Readonly<Record<string, string>>): void {
    const [start, end] = [Date.parse(from ?? ''), Date.parse(to ?? '')]
    if (end > start) {
      if (this.end.peek() !== end || this.span.peek() !== end - start) void this.fetch(start, end)
      return
    }
    const seconds = Number(last)
    this.present(seconds >= SHORTEST / 1000 && seconds <= LONGEST / 1000 ? 1000 * seconds : USUAL)
  }

  private present(span: number): void {
    this.request?.abort()
    this.past = undefined
    this.pastMarks = undefined
    batch(() => {
      this.span.value = span
      this.end.value = null
      this.loading.value = false
      this.problem.value = ''
    })
    void this.feed.show(span)
    invalidateAll()
  }

  private async fetch(from: number, to: number): Promise<void> {
    this.request?.abort()
    const request = new AbortController()
    this.request = request
    batch(() => {
      this.span.value = to - from
      this.end.value = to
      this.loading.value = true
      this.problem.value = ''
    })
    invalidateAll()
    try {
      const { channels } = await this.feed.known()
      this.adopt(await readChart(this.feed.id, channels, { from, to }, request.signal), channels)
    } catch (error) {
      // The page goes on showing what it has of that time.
      if (!request.signal.aborted) this.problem.value = (error as Error).message
    }
    if (request.signal.aborted) return
    this.loading.value = false
    invalidateAll()
  }

  private adopt(chart: Chart, channels: number): void {
    this.past = ringOfChart(chart, channels)
    this.pastMarks = new MarkRing(8_192)
    markChart(this.pastMarks, chart)
    this.pastThinning.value = thinningOf(chart)
  }
}

/** A ring with samples from the server. */
export function ringOf(samples: readonly AssessedSample[], channels: number): SampleRing {
  const ring = new SampleRing(Math.max(1, samples.length), channels)
  for (const { time, values, likely, trained } of samples) ring.push(time, values, trained ? likely : NO_LEVEL)
  return ring
}
