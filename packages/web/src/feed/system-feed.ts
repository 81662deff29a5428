import type {
  AlarmEvent,
  AnswerEvent,
  AssessedSample,
  AssessedSamples,
  Guarantee,
  SystemDetail,
} from '@pb-oel/protocol'
import { batch, signal } from '@preact/signals'
import { ApiError, get, systemPath } from '../api/client.ts'
import { EventStream, type StreamEvent } from '../api/event-stream.ts'
import { ArrivalRate } from './arrival-rate.ts'
import { invalidateAll, publish } from './frames.ts'
import { MarkRing } from './mark-ring.ts'
import { markAlarm, markAnswer, readMarks } from './marks.ts'
import { Progress } from './progress.ts'
import { NO_LEVEL, SampleRing } from './sample-ring.ts'

/** Samples kept: five minutes at 100 per second. */
const SAMPLES = 32_768
const MARKS = 16_384
/** Samples fetched from the past. */
export const PAST_SAMPLES = 1_200
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
  readonly progress: Progress
  readonly marks = new MarkRing(MARKS)
  /** Samples; empty until the system is known. */
  ring = new SampleRing(1, 0)
  private readonly listeners = new Set<(answer: AnswerEvent) => void>()
  private stream: EventStream | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private closed = false
  /** Number of the record of the last sample in the ring. */
  private known = 0
  /** Milliseconds of the past that the charts show. */
  private span = 60_000
  private seedings = 0
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

  /** Fills the ring with the latest `span` milliseconds, unless another span is asked for meanwhile. */
  async seed(span = this.span): Promise<void> {
    this.span = span
    const seeding = ++this.seedings
    const from = Math.max(0, (this.detail.peek()?.lastSampleTime ?? Date.now()) - span)
    const { samples } = await get<AssessedSamples>(systemPath(this.id, '/samples'), {
      from: Math.floor(from),
      limit: PAST_SAMPLES,
    })
    if (seeding !== this.seedings) return
    this.ring.clear()
    for (const { time, values, likely, trained, sequence, drifts } of samples) {
      this.ring.push(time, values, trained ? likely : NO_LEVEL)
      if (drifts && sequence > this.known) this.marks.push(time, 'drift')
    }
    this.known = Math.max(this.known, samples.at(-1)?.sequence ?? 0)
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
      await this.seedMarks()
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
    if (sequence - this.known < TOO_FAR) return
    this.known = sequence
    await this.seed().catch(() => {})
    this.follow(sequence)
  }

  /** Alarms are few and answers are many, so that each needs a request of its own. */
  private async seedMarks(): Promise<void> {
    this.marks.clear()
    for (const kinds of ['alarm', 'feedback,correction']) {
      await readMarks(this.id, { kinds, latest: true }, this.marks)
    }
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
      case 'configuration':
      case 'exclusion':
      case 'acknowledgement':
        this.poll(0)
        break
    }
    publish(this.show)
    invalidateAll()
  }

  private assessed(sample: AssessedSample): void {
    const { sequence, time, values, likely, trained, drifts } = sample
    if (sequence > this.known) {
      this.ring.push(time, values, trained ? likely : NO_LEVEL)
      this.known = sequence
      if (drifts) this.marks.push(time, 'drift')
    }
    // The system has just been trained: the rest of the page need not wait to say so.
    if (trained && this.latest?.trained === false) this.poll(0)
    this.latest = sample
  }

  private readonly show = (): void => {
    this.now.value = this.latest
  }

  private alarm({ sequence: _sequence, time: _time, ...alarm }: AlarmEvent): void {
    const detail = this.detail.peek()
    if (!detail) return
    const { about } = alarm
    const changed =
      about === 'accuracy' ? { accuracyAlarm: alarm } : about === 'stale' ? { staleAlarm: alarm } : { alarm }
    this.detail.value = { ...detail, ...changed }
  }
}
