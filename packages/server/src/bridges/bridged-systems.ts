import { PbOelError } from '@pb-oel/core'
import type { JoinRule } from '@pb-oel/protocol'
import { InvalidShape } from '@pb-oel/protocol'
import { NotFound, ServiceError } from '../errors.ts'
import type { BridgeContext } from './bridge.ts'
import { type Joiner, makeJoiner } from './joining/joiner.ts'
import type { Reading } from './joining/reading.ts'
import { SampleQueue } from './sample-queue.ts'

/** Systems of one bridge, at most: their names may come from topics. */
const MOST_SYSTEMS = 10_000
/** Milliseconds between two questions for a system that does not exist, or is not there yet. */
const ASK_AGAIN = 1_000

/** Milliseconds after which the channels of a system are looked at again: one may have been added. */
const LOOK_AGAIN = 10_000

interface Bridged {
  channels: ReadonlySet<string>
  joiner: Joiner
}

/** The systems that a bridge has readings for. */
export class BridgedSystems {
  private readonly rule: JoinRule
  private readonly context: BridgeContext
  private readonly systems = new Map<string, Promise<Bridged>>()
  private readonly ending = new AbortController()

  constructor(rule: JoinRule, context: BridgeContext) {
    this.rule = rule
    this.context = context
  }

  /**
   * Takes a reading; resolves when it is on disk as part of a sample, or can never be. Values for channels that the
   * system does not have are left out.
   */
  async add(system: string, reading: Reading): Promise<void> {
    this.context.waiting(1)
    try {
      const { channels, joiner } = await this.bridged(system)
      const own = Object.entries(reading.values).filter(([channel]) => channels.has(channel))
      if (own.length === 0) {
        this.context.count('ignored')
        return
      }
      await joiner.add({ ...reading, values: Object.fromEntries(own) })
    } catch (error) {
      this.refuse(system, error as Error)
    } finally {
      this.context.waiting(-1)
    }
  }

  /** The source of these channels is gone. */
  async lose(system: string, channels: readonly string[]): Promise<void> {
    const { joiner } = (await this.systems.get(system)) ?? {}
    joiner?.lose(channels)
  }

  /** Says why something that came is of no use. */
  refuse(system: string | undefined, error: Error): void {
    this.context.count('refused')
    const told = error instanceof PbOelError || error instanceof InvalidShape
    this.context.warn({ system, reason: error.message }, told ? 'a message was refused' : 'a defect')
  }

  end(): void {
    this.ending.abort()
    for (const bridged of this.systems.values()) void bridged.then(({ joiner }) => joiner.end()).catch(() => {})
    this.systems.clear()
  }

  private bridged(system: string): Promise<Bridged> {
    const known = this.systems.get(system)
    if (known) return known
    if (this.systems.size >= MOST_SYSTEMS) throw new NotFound(`a bridge has at most ${MOST_SYSTEMS} systems`)
    const made = this.make(system)
    this.systems.set(system, made)
    const { clock } = this.context
    // It may be made later.
    made.then(
      (bridged) => clock.after(LOOK_AGAIN, () => void this.look(system, bridged)),
      () => clock.after(ASK_AGAIN, () => this.systems.delete(system)),
    )
    return made
  }

  /** Begins anew with a system whose channels have changed. */
  private async look(system: string, bridged: Bridged): Promise<void> {
    if (this.ending.signal.aborted) return
    const channels = await this.context.intake.channels(system).catch(() => [...bridged.channels])
    if (channels.join('\n') === [...bridged.channels].join('\n')) {
      this.context.clock.after(LOOK_AGAIN, () => void this.look(system, bridged))
    } else {
      bridged.joiner.end()
      this.systems.delete(system)
    }
  }

  private async make(system: string): Promise<Bridged> {
    const { intake, clock, name, warn } = this.context
    const { signal } = this.ending
    for (;;) {
      try {
        const channels = await intake.channels(system)
        const queue = new SampleQueue(system, this.context, signal)
        const take = queue.take.bind(queue)
        const joiner = makeJoiner(this.rule, { name, channels, clock, take, warn: (f, t) => warn({ system, ...f }, t) })
        return { channels: new Set(channels), joiner }
      } catch (error) {
        if (!(error instanceof ServiceError && error.status >= 500) || signal.aborted) throw error
        await clock.pause(ASK_AGAIN, signal)
      }
    }
  }
}
