import type { RecordKind } from '@pb-oel/protocol'
import type { Clock } from '../clock/clock.ts'
import { eventText } from '../reading/event-page.ts'
import type { LiveSystem, Written } from '../service/live-system.ts'
import { recordEvent } from '../views/record-event.ts'

/** Least milliseconds between two batches: followers see at most so many writes per second, whatever the load. */
const BATCH_MILLISECONDS = 20

/** Events that go out together. */
export interface Batch {
  /** Number of the first and of the last record that it tells of or passes over. */
  first: number
  last: number
  /** The events one by one, for a follower that has some of them already. */
  events: readonly { sequence: number; text: string }[]
  /** All of them: made once, whoever follows. */
  bytes: Buffer
}

type Listener = (batch: Batch) => void

/** Followers of a system that want the same kinds. */
interface Group {
  kinds: readonly RecordKind[]
  listeners: Set<Listener>
  events: { sequence: number; text: string }[]
  first: number
  last: number
}

/**
 * What reaches the disk of one system, as text in batches. The first event after a pause goes out at once. The text of
 * an event is made once for each choice of kinds, however many follow.
 */
export class LiveFeed {
  private static readonly feeds = new WeakMap<LiveSystem, LiveFeed>()
  private readonly system: LiveSystem
  private readonly clock: Clock
  private readonly groups = new Map<string, Group>()
  private unsubscribe: (() => void) | undefined
  private flushing = false
  private flushed = 0

  private constructor(system: LiveSystem) {
    this.system = system
    this.clock = system.clock.clock
  }

  /** The feed of a system. */
  static of(system: LiveSystem): LiveFeed {
    let feed = LiveFeed.feeds.get(system)
    if (!feed) {
      feed = new LiveFeed(system)
      LiveFeed.feeds.set(system, feed)
    }
    return feed
  }

  /** Calls back with every batch from now on. Returns how to end it. */
  follow(kinds: readonly RecordKind[], listener: Listener): () => void {
    const key = [...kinds].sort().join()
    let group = this.groups.get(key)
    if (!group) {
      group = { kinds, listeners: new Set(), events: [], first: 0, last: 0 }
      this.groups.set(key, group)
    }
    group.listeners.add(listener)
    this.unsubscribe ??= this.system.subscribe((written) => this.take(written))
    return () => {
      group.listeners.delete(listener)
      if (group.listeners.size === 0) this.groups.delete(key)
      if (this.groups.size > 0) return
      this.unsubscribe?.()
      this.unsubscribe = undefined
    }
  }

  private take({ sequence, time, events }: Written): void {
    const sample = events[0].kind === 'sample' ? events[0].body : undefined
    const texts: (string | undefined)[] = []
    for (const group of this.groups.values()) {
      if (group.first === 0) group.first = sequence
      group.last = sequence + events.length - 1
      events.forEach((event, i) => {
        if (!group.kinds.includes(event.kind)) return
        const place = { sequence: sequence + i, time }
        texts[i] ??= eventText(recordEvent(this.system.levels, place, event, sample))
        group.events.push({ sequence: place.sequence, text: texts[i] })
      })
    }
    this.schedule()
  }

  private schedule(): void {
    if (this.flushing) return
    this.flushing = true
    const wait = this.flushed + BATCH_MILLISECONDS - this.clock.monotonic()
    if (wait > 0) this.clock.after(wait, () => this.flush())
    else setImmediate(() => this.flush())
  }

  private flush(): void {
    this.flushing = false
    this.flushed = this.clock.monotonic()
    for (const group of this.groups.values()) {
      const { first, last, events, listeners } = group
      if (first === 0) continue
      Object.assign(group, { events: [], first: 0, last: 0 })
      const bytes = Buffer.from(events.map(({ text }) => text).join(''))
      for (const listener of listeners) listener({ first, last, events, bytes })
    }
  }
}
