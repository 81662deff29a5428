import type { GivenSample } from '@pb-oel/protocol'
import { InvalidRequest } from '../../errors.ts'
import type { Joiner, JoinerContext } from './joiner.ts'
import type { Reading } from './reading.ts'

/** Groups that wait at once, at most; the oldest goes then as it is. */
const MOST_GROUPS = 1_000
/** Milliseconds that a group waits for what is missing unless said otherwise. */
const WAIT = 1_000

interface Group {
  /** Groups go in this order. */
  order: number
  values: Record<string, number | null>
  at: number | undefined
  key: string | undefined
  /** It goes as soon as those before it have gone. */
  ready: boolean
  cancel: () => void
  done: Promise<void>
  finish: (written: Promise<void>) => void
}

/**
 * The readings of one time, or of one tick, are a sample. It goes when it has every channel, or after a while without
 * those that are missing. Samples go in the order of their times, or of the first readings of their ticks.
 *
 * The sample of a time is recognised by its time, whatever it holds: after a crash only some of its messages may come
 * again.
 */
export class GroupJoiner implements Joiner {
  private readonly rule: { by: 'time' | 'tick'; within?: number; wait?: number }
  private readonly context: JoinerContext
  private readonly groups = new Map<string, Group>()
  private opened = 0
  /** Time of the latest sample that has gone. */
  private gone = Number.NEGATIVE_INFINITY

  constructor(rule: GroupJoiner['rule'], context: JoinerContext) {
    this.rule = rule
    this.context = context
  }

  add(reading: Reading): Promise<void> {
    const group = this.rule.by === 'time' ? this.groupOfTime(reading.at) : this.groupOfTick(reading)
    Object.assign(group.values, reading.values)
    group.ready ||= this.context.channels.every((channel) => Object.hasOwn(group.values, channel))
    this.send()
    return group.done
  }

  lose(): void {}

  end(): void {
    for (const { cancel } of this.groups.values()) cancel()
    this.groups.clear()
  }

  private groupOfTime(at: number | undefined): Group {
    if (at === undefined) throw new InvalidRequest('message: has no time to join it by; the rule needs "time"')
    const { within = 1 } = this.rule
    const time = Math.round(at / within) * within
    const key = `${this.context.name}:t${time}`
    const group = this.groups.get(key)
    if (group) return group
    if (time <= this.gone) throw new InvalidRequest(`message: the sample of its time ${time} has gone without it`)
    return this.open(key, { order: time, at: time, key })
  }

  private groupOfTick({ tick, at, key: first }: Reading): Group {
    if (tick === undefined) throw new InvalidRequest('message: has no tick to join it by; the rule needs "tick"')
    // A counter begins anew at some time, so that a tick alone is no key; that of the first reading is.
    const key = first === undefined ? undefined : `${this.context.name}:${first}`
    return this.groups.get(tick) ?? this.open(tick, { order: this.opened++, at, key })
  }

  private open(id: string, start: Pick<Group, 'order' | 'at' | 'key'>): Group {
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = this.context.clock.after(this.rule.wait ?? WAIT, () => {
      group.ready = true
      this.send()
    })
    const group: Group = { ...start, values: {}, ready: false, cancel, done: promise, finish: resolve }
    this.groups.set(id, group)
    if (this.groups.size > MOST_GROUPS) this.first[1].ready = true
    return group
  }

  private get first(): [string, Group] {
    return [...this.groups].reduce((best, other) => (other[1].order < best[1].order ? other : best))
  }

  private send(): void {
    while (this.groups.size > 0) {
      const [id, { ready, order, values, at, key, cancel, finish }] = this.first
      if (!ready) return
      this.groups.delete(id)
      cancel()
      if (this.rule.by === 'time') this.gone = order
      const sample: GivenSample = { values, ...(at !== undefined && { at }), ...(key !== undefined && { key }) }
      finish(this.context.take(sample))
    }
  }
}
