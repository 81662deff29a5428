import { PbOelError } from '@pb-oel/core'
import { type GivenSample, InvalidShape } from '@pb-oel/protocol'
import { isKeyUsed, ServiceError } from '../errors.ts'
import type { BridgeContext } from './bridge.ts'
import { isPassing } from './intake.ts'

/** Samples that go together. */
const BATCH = 500
/** Samples that wait for a system, at most. */
const MOST_WAITING = 100_000
/** Milliseconds between attempts while the store refuses or the system is elsewhere. */
const RETRY = 1_000

interface Waiting {
  sample: GivenSample
  done: () => void
}

/** Writes the samples of one system in order, and tries again while it cannot take them. */
export class SampleQueue {
  private readonly system: string
  private readonly context: BridgeContext
  private readonly signal: AbortSignal
  private waiting: Waiting[] = []
  private sending = false

  constructor(system: string, context: BridgeContext, signal: AbortSignal) {
    this.system = system
    this.context = context
    this.signal = signal
  }

  /** Resolves when the sample is on disk, or was refused for good; never after the bridge has ended. */
  take(sample: GivenSample): Promise<void> {
    if (this.waiting.length >= MOST_WAITING) {
      this.refuse(new ServiceError(503, 'Not ready', `${MOST_WAITING} samples wait for the system already`))
      return Promise.resolve()
    }
    return new Promise((done) => {
      this.waiting.push({ sample, done })
      if (!this.sending) void this.send()
    })
  }

  private async send(): Promise<void> {
    this.sending = true
    const { intake, name, clock } = this.context
    while (this.waiting.length > 0 && !this.signal.aborted) {
      const batch = this.waiting.splice(0, BATCH)
      const samples = batch.map(({ sample }) => sample)
      const taken = await intake
        .samples(this.system, samples, `bridge:${name}`)
        .catch((error: Error) => samples.map(() => error))
      const again = batch.filter((_, i) => isPassing(taken[i]))
      batch.forEach(({ done }, i) => {
        const outcome = taken[i]
        if (isPassing(outcome)) return
        // Another sample under its key: after a crash only a part of its messages came again.
        if (isKeyUsed(outcome)) this.context.count('repeated')
        else if (outcome instanceof Error) this.refuse(outcome)
        else this.context.count(outcome.repeated ? 'repeated' : 'accepted')
        done()
      })
      this.waiting.unshift(...again)
      if (again.length > 0) await clock.pause(RETRY, this.signal)
    }
    this.sending = false
  }

  private refuse(error: Error): void {
    this.context.count('refused')
    const told = error instanceof PbOelError || error instanceof InvalidShape
    this.context.warn({ system: this.system, reason: error.message }, told ? 'a sample was refused' : 'a defect')
  }
}
