import type { AlarmEvent, AnswerEvent, AssessedSample, Guarantee, SystemDetail } from '@pb-oel/protocol'
import { batch, signal } from '@preact/signals'
import { ApiError, get, systemPath } from '../api/client.ts'
import { EventStream, type StreamEvent } from '../api/event-stream.ts'
import { ArrivalRate } from './arrival-rate.ts'
import { fillRing, readChart, type Thinning, thinningOf } from './chart.ts'
import { invalidateAll, publish } from './frames.ts'
import { MarkRing } from './mark-ring.ts'
import { markAlarm, markAnswer, markChart } from './marks.ts'
import { Progress } from './progress.ts'
import { NO_LEVEL, SampleRing } from './sample-ring.ts'
import { withAlarm } from './with-alarm.ts'

/** Samples kept: five minutes at 100 per second. */
const SAMPLES = 32_768
const MARKS = 16_384
/** Milliseconds between two requests for what the events do not carry: counts, guarantee, weights. */
const POLL = 2_000
/** Statuses of the reply while a system takes no events, such as with a full disk. */
const NOT_READY: readonly number[] = [503, 507]
/** Number of missed records from which on reading the past anew is quicker than catching up. */
const TOO_FAR = 60_000

/** One system as it happens: its events, the samples and marks they brought, and what the page asks for regularly. */
export class SystemFeed {
  readonly id: string
  readonly detail = signal<SystemDetail | null>(null)
  readonly guarantee = signal<Guarantee | null>(null)
  /** The latest sample with its assessment. */
  readonly now = signal<AssessedSample | null>(null)
  /** Samples per second, over the latest seconds; `null` while that is unknown. */
  readonly rate = signal<number | null>(null)
  /** `null` while connecting for the first time. */
  readonly connected = signal<boolean | null>(null)
  /** Why the system cannot be shown at all. */
  readonly failure = signal<ApiError | null>(null)
  /** What the charts of the present leave out; `null` while they show every sample. */
  readonly thinning = signal<Thinning | null>(null)
  /** True until the samples of the present are there. */
  readonly seeding = signal(true)
  readonly progress: Progress
  readonly marks = new MarkRing(MARKS)
  /** Samples; empty until the system is known. */
  ring = new SampleRing(1, 0)
  private readonly stretchListeners = new Set<() => void>()
  private readonly listeners = new Set<(answer: AnswerEvent) => void>()
  private stream: EventStream | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private closed = false
  /** Number of the record of the last sample in the ring. */
  private lastRecord = 0
  /** Milliseconds of the past that the charts show. */
  private span = 60_000
  private seedings = 0
  /** Time of the last sample that the charts may have left out. */
  private thinnedUntil = 0
  private tellKnown: () => void = () => {}
  private readonly isKnown = new Promise<void>((done) => {
    this.tellKnown = done
  })
  private latest: AssessedSample | null = null
  private readonly arrivals = new ArrivalRate()
  /** When the server told its time last, by the monotonic clock of the browser. */
  private toldAt = 0

  constructor(id: string) {
    this.id = id
    this.progress = new Progress(id)
    document.addEventListener('visibilitychange', this.wake)
    void this.open()
  }

  close(): void {
    this.closed = true
    clearTimeout(this.timer)
    document.removeEventListener('visibilitychange', this.wake)
    this.stream?.close()
  }

  retryNow(): void {
    this.stream?.retryNow()
  }

  /** Calls back for each answer that anybody gives. Returns the function that ends this. */
  onAnswer(listener: (answer: AnswerEvent) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /**
   * Calls back when anybody has answered a stretch of time, or given a second opinion. Returns the function that ends
   * this.
   */
  onStretch(listener: () => void): () => void {
    this.stretchListeners.add(listener)
    return () => this.stretchListeners.delete(listener)
  }

  /** The number of channels, once the system is known. */
  async known(): Promise<{ channels: number }> {
    await this.isKnown
    return { channels: this.ring.channels }
  }

  /** Keeps the latest `span` milliseconds from now on. */
  async show(span: number): Promise<void> {
    if (span === this.span) return
    this.span = span
    if (this.ring.channels > 0) await this.seed().catch(() => {})
  }

  /** Fills ring and marks with the latest `span` milliseconds, unless another span is asked for meanwhile. */
  private async seed(): Promise<void> {
    const seeding = ++this.seedings
    this.seeding.value = true
    const { ring, marks } = this
    const latest = Math.max(ring.last, this.detail.peek()?.lastSampleTime ?? 0)
    const chart = await readChart(this.id, ring.channels, { from: latest - this.span }).finally(() => {
      if (seeding === this.seedings) this.seeding.value = false
    })
    if (seeding !== this.seedings) return
    const end = chart.times.at(-1) ?? 0
    // What arrived since the server answered stays.
    const newer = ring.after(end)
    const newerMarks: Parameters<MarkRing['push']>[] = []
    marks.each(end + 1, Number.POSITIVE_INFINITY, (...mark) => newerMarks.push(mark))
    ring.clear()
    marks.clear()
    fillRing(ring, chart)
    markChart(marks, chart)
    for (const sample of newer) ring.push(...sample)
    for (const mark of newerMarks) marks.push(...mark)
    this.lastRecord = Math.max(this.lastRecord, chart.last)
    this.thinnedUntil = end
    this.thinning.value = thinningOf(chart)
    invalidateAll()
  }

  /** The server's time now: as it told it last, carried on by the monotonic clock of the browser. */
  serverNow(): number {
    return (this.detail.peek()?.now ?? 0) + performance.now() - this.toldAt
  }

  /** Asks for what the events do not carry. */
  async refresh(): Promise<void> {
    const [detail, guarantee] = await Promise.all([
      get<SystemDetail>(systemPath(this.id)),
      get<Guarantee>(systemPath(this.id, '/guarantee')),
    ])
    const before = this.detail.peek()
    this.toldAt = performance.now()
    this.arrivals.add(this.toldAt, detail.samples)
    batch(() => {
      this.detail.value = detail
      this.guarantee.value = guarantee
      this.rate.value = this.arrivals.perSecond
    })
    if ((detail.restarts ?? 0) > (before?.restarts ?? detail.restarts ?? 0))
      this.marks.push(detail.lastSampleTime ?? 0, 'restart')
    this.progress.add(detail, guarantee)
  }

  private readonly wake = (): void => {
    if (document.visibilityState === 'visible') this.poll(0)
  }

  private async open(): Promise<void> {
    try {
      await this.refresh()
      const { configuration, sequence } = this.detail.peek() as SystemDetail
      this.ring = new SampleRing(SAMPLES, configuration.channels.length)
      this.tellKnown()
      await Promise.all([this.seed(), this.progress.seed()])
      if (this.closed) return
      this.failure.value = null
      this.follow(sequence)
      this.poll(POLL)
    } catch (error) {
      if (this.closed) return
      const failure = error instanceof ApiError ? error : new ApiError(0, String(error))
      batch(() => {
        if (failure.status === 0) this.connected.value = false
        else this.failure.value = failure
      })
      if (failure.status !== 404 && failure.status !== 403) this.timer = setTimeout(() => void this.open(), 1_000)
    }
  }

  private follow(after: number): void {
    this.stream?.close()
    this.stream = new EventStream(systemPath(this.id, '/events'), after, {
      event: (event) => this.receive(event),
      state: (connected) => this.connection(connected),
    })
  }

  private connection(connected: boolean): void {
    const lost = this.connected.peek() === false
    this.connected.value = connected
    if (connected && lost) void this.catchUp()
  }

  /** After a loss the stream goes on where it stopped. After a very long one the page reads the past anew. */
  private async catchUp(): Promise<void> {
    await this.refresh().catch(this.unanswered)
    const { sequence } = this.detail.peek() as SystemDetail
    if (sequence - this.lastRecord < TOO_FAR) return
    this.lastRecord = sequence
    await this.seed().catch(() => {})
    this.follow(sequence)
  }

  private poll(wait: number): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(async () => {
      if (document.visibilityState === 'visible') await this.refresh().catch(this.unanswered)
      if (!this.closed) this.poll(POLL)
    }, wait)
  }

  /**
   * The stream tells when the connection is lost. While a system takes no events, the server does not show its state.
   */
  private readonly unanswered = (error: unknown): void => {
    const detail = this.detail.peek()
    if (detail && error instanceof ApiError && NOT_READY.includes(error.status))
      this.detail.value = { ...detail, ready: false }
  }

  private receive({ name, data }: StreamEvent): void {
    switch (name) {
      case 'assessment':
        this.assessed(data)
        break
      case 'alarm':
        markAlarm(this.marks, data.time, data)
        this.alarm(data)
        break
      case 'feedback':
      case 'correction':
        markAnswer(this.marks, data.time, data)
        for (const listener of this.listeners) listener(data)
        break
      case 'stretch':
        markAnswer(this.marks, data.time, data)
        for (const listener of this.stretchListeners) listener()
        this.poll(0)
        break
      case 'second-opinion':
        for (const listener of this.stretchListeners) listener()
        break
      case 'assignment':
      case 'configuration':
      case 'level':
      case 'exclusion':
      case 'withdrawal':
      case 'acknowledgement':
      case 'alarm-action':
        this.poll(0)
        break
    }
    publish(this.tell)
    invalidateAll()
  }

  private assessed(sample: AssessedSample): void {
    const { sequence, time, values, likely, trained, drifts } = sample
    if (sequence > this.lastRecord) {
      this.ring.push(time, values, trained ? likely : NO_LEVEL)
      this.lastRecord = sequence
      if (drifts) this.marks.push(time, 'drift')
      this.keepSpan(time)
    }
    // The system has just been trained: the rest of the page need not wait to say so.
    if (trained && this.latest?.trained === false) this.poll(0)
    this.latest = sample
  }

  /** A ring that is full has dropped the beginning of a long span: the server tells it again, thinned. */
  private keepSpan(time: number): void {
    const { ring, span } = this
    if (ring.length === ring.capacity && ring.first > time - span && !this.seeding.peek())
      void this.seed().catch(() => {})
    if (this.thinning.peek() && this.thinnedUntil < time - span) this.thinning.value = null
  }

  private readonly tell = (): void => {
    this.now.value = this.latest
  }

  private alarm({ time: _time, ...event }: AlarmEvent): void {
    const detail = this.detail.peek()
    if (detail) this.detail.value = withAlarm(detail, event)
  }
}
