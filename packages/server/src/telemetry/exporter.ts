import { type Clock, deadline } from '../clock/clock.ts'

/** Entries that go together, and that wait at most: telemetry never holds up the service. */
const [BATCH, MOST_WAITING] = [512, 8_192]
/** Milliseconds between two batches, until the receiver must have answered, and until the next attempt. */
const [EVERY, PATIENCE, RETRY] = [1_000, 10_000, 5_000]
/** Answers after which the same batch may succeed (OTLP, section "Failures"). */
const PASSING = [429, 502, 503, 504]

/** What an exporter needs. */
export interface ExporterOptions<T> {
  url: string
  headers: Record<string, string>
  clock: Clock
  body: (entries: readonly T[]) => object
  /** Told once per failure that lasts, not for each attempt. */
  onTrouble: (reason: string, lost: number) => void
}

/** Sends entries of telemetry in batches over OTLP/HTTP. What cannot be sent in time is dropped and counted. */
export class Exporter<T> {
  private readonly options: ExporterOptions<T>
  private waiting: T[] = []
  private lost = 0
  private sending: Promise<void> | undefined
  private retryAt = 0
  private failing = false
  private readonly stopTimer: () => void

  constructor(options: ExporterOptions<T>) {
    this.options = options
    this.stopTimer = options.clock.every(EVERY, () => this.flush())
  }

  add(entry: T): void {
    this.waiting.push(entry)
    if (this.waiting.length > MOST_WAITING) {
      this.waiting.shift()
      this.lost++
    }
    if (this.waiting.length >= BATCH) this.flush()
  }

  /** Sends what is there, in one last attempt. */
  async close(): Promise<void> {
    this.stopTimer()
    await this.sending
    this.retryAt = 0
    this.flush()
    await this.sending
  }

  private flush(): void {
    const { clock } = this.options
    if (this.sending || this.waiting.length === 0 || clock.monotonic() < this.retryAt) return
    this.sending = this.send().finally(() => {
      this.sending = undefined
    })
  }

  private async send(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, BATCH)
      const reason = await this.post(batch)
      if (reason === undefined || !reason.passing) this.waiting = this.waiting.filter((entry) => !batch.includes(entry))
      if (reason === undefined) {
        this.failing = false
        continue
      }
      if (!reason.passing) this.lost += batch.length
      if (!this.failing) this.options.onTrouble(reason.text, this.lost)
      this.failing = true
      this.retryAt = this.options.clock.monotonic() + RETRY
      return
    }
  }

  /** Why a batch was not taken, and whether it may be later. */
  private async post(batch: readonly T[]): Promise<{ text: string; passing: boolean } | undefined> {
    const { url, headers, clock, body } = this.options
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body(batch)),
        signal: deadline(clock, PATIENCE),
      })
      await response.arrayBuffer()
      if (response.ok) return undefined
      return { text: `the receiver answered ${response.status}`, passing: PASSING.includes(response.status) }
    } catch (error) {
      const { message, cause } = error as Error & { cause?: Error }
      return { text: cause?.message ?? message, passing: true }
    }
  }
}
