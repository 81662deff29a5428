import { type AlarmChange, type AlarmMessage, decodeBody } from '@pb-oel/protocol'
import { cursorsOf } from '../log/alarm-cursors.ts'
import type { LiveSystem } from '../service/live-system.ts'
import type { Service } from '../service/service.ts'
import type { Recorded } from '../views/assessed-sample.ts'
import { alarmEvent, messageOf } from '../views/record-event.ts'

/** Seconds before the second attempt; doubled up to {@link LONGEST_WAIT}. */
const FIRST_WAIT = 1
const LONGEST_WAIT = 300

/** Delivers one message, or throws when it could not; `signal` ends the attempt. */
export type SendAlarm = (message: AlarmMessage, signal: AbortSignal) => Promise<void>

/**
 * Sends every change of an alarm to one receiver, in order within a system, until it is accepted. After each, the
 * place in the log is remembered: a crash repeats one change at most and loses none.
 */
export class AlarmOutbox {
  /** Which changes the receiver wants; all of them by default. */
  wants: (change: AlarmChange) => boolean = () => true
  private readonly service: Service
  private readonly name: string
  private readonly send: SendAlarm
  private readonly firstWait: number
  private readonly aborter = new AbortController()
  private readonly queues = new Map<string, Promise<void>>()
  private unsubscribe = () => {}
  private stopWatching = () => {}
  /** Called when an attempt failed. */
  onFailure: (error: Error) => void = () => {}

  /**
   * @param name of the receiver; its place in the log is kept under it
   * @param send makes one attempt; rejects when it was not accepted
   */
  constructor(service: Service, name: string, send: SendAlarm, firstWait = FIRST_WAIT) {
    this.service = service
    this.name = name
    this.send = send
    this.firstWait = firstWait
  }

  /** Sends what an earlier run left unsent, then every change as it reaches the disk. */
  async start(): Promise<void> {
    this.unsubscribe = this.service.subscribe((system, { sequence, time, events }) => {
      events.forEach((event, i) => {
        if (event.kind !== 'alarm') return
        this.enqueue(system, () => this.deliver(system, event.body, { sequence: sequence + i, time }))
      })
    })
    // Before anything else of the system: a later change that went first would make them seem to be sent.
    const catchUp = (system: LiveSystem) => this.enqueue(system, () => this.sendUnsent(system))
    this.stopWatching = this.service.onLoaded(catchUp)
    for (const system of this.service.list()) catchUp(system)
  }

  /** Sends the changes behind the place in the log, page by page. */
  private async sendUnsent(system: LiveSystem): Promise<void> {
    const { log } = this.service
    for (;;) {
      const records = await this.patiently(async () => {
        const from = (await log.cursor(this.cursor(system))) + 1
        return log.read(system.id, { from, kinds: ['alarm'] })
      })
      if (!records || records.length === 0) return
      for (const record of records) {
        await this.deliver(system, decodeBody('alarm', record.body, system.channels).body, record)
      }
      if (!this.service.holds(system)) return
    }
  }

  /** Ends at once. Unsent changes are sent after the next start. */
  async stop(): Promise<void> {
    this.unsubscribe()
    this.stopWatching()
    this.aborter.abort()
    await Promise.all(this.queues.values())
  }

  private enqueue(system: LiveSystem, work: () => Promise<void>): void {
    const earlier = this.queues.get(system.id) ?? Promise.resolve()
    this.queues.set(
      system.id,
      earlier.then(work).catch((error) => this.onFailure(error)),
    )
  }

  private async deliver(system: LiveSystem, change: AlarmChange, place: Recorded): Promise<void> {
    const { log } = this.service
    const { sequence } = place
    await this.patiently(async () => {
      if ((await log.cursor(this.cursor(system))) >= sequence) return
      // An alarm goes out also while the system takes no events.
      if (this.wants(change)) {
        const message = messageOf(await system.overview(), alarmEvent(change, place))
        await this.send(message, this.aborter.signal)
      }
      // A system that was deleted meanwhile has no place any more; another one may have its name.
      if (this.service.holds(system)) await log.moveCursor(this.cursor(system), sequence)
    })
  }

  /** Tries again until it works: nothing that comes later may go first. `undefined` when the outbox ends before. */
  private async patiently<T>(attempt: () => Promise<T>): Promise<T | undefined> {
    const { signal } = this.aborter
    for (let wait = this.firstWait; !signal.aborted; wait = Math.min(2 * wait, LONGEST_WAIT)) {
      try {
        return await attempt()
      } catch (error) {
        if (!signal.aborted) this.onFailure(error as Error)
        await this.service.time.clock.pause(wait * 1000, signal)
      }
    }
    return undefined
  }

  private cursor({ id }: LiveSystem): string {
    return `${cursorsOf(id)}${this.name}`
  }
}
