import { type AlarmEvent, decodeBody } from '@pb-oel/protocol'
import type { StoredRecord } from '../log/record.ts'
import type { LiveSystem } from '../service/live-system.ts'
import type { Service } from '../service/service.ts'
import { alarmEvent } from '../views/record-event.ts'

/** Changes kept in memory for each system. Older ones are read from the log. */
const KEPT = 1_000

interface Pages {
  /** Oldest first. */
  events: AlarmEvent[]
  /** Nothing older is in the log. */
  complete: boolean
  /** Resolves when what the log had is here. */
  read: Promise<void>
}

/** The latest changes of alarms of each system, so that lists need not look through whole logs. */
export class AlarmJournal {
  private readonly service: Service
  private readonly pages = new WeakMap<LiveSystem, Pages>()

  constructor(service: Service) {
    this.service = service
    service.subscribe((system, { sequence, time, events }) => {
      const pages = this.pages.get(system)
      if (!pages) return
      events.forEach((event, i) => {
        if (event.kind === 'alarm') pages.events.push(alarmEvent(event.body, { sequence: sequence + i, time }))
      })
      if (pages.events.length <= 2 * KEPT) return
      pages.events.splice(0, pages.events.length - KEPT)
      pages.complete = false
    })
  }

  /** The latest changes, oldest first: {@link KEPT} or more, or all there are. */
  async latest(system: LiveSystem): Promise<readonly AlarmEvent[]> {
    return (await this.open(system)).events
  }

  /** Changes before a time, latest first, at most so many. */
  async before(system: LiveSystem, time: number, limit: number): Promise<AlarmEvent[]> {
    const { events, complete } = await this.open(system)
    const found = events.filter((event) => event.time < time).slice(-limit)
    if (complete || found.length === limit) return found.reverse()
    const to = (await this.service.log.sequenceAt(system.id, time)) - 1
    return this.read(system, limit, to)
  }

  private async open(system: LiveSystem): Promise<Pages> {
    let pages = this.pages.get(system)
    if (!pages) {
      // What happens while the log is read comes by the subscription.
      const made: Pages = { events: [], complete: false, read: Promise.resolve() }
      made.read = this.read(system, KEPT).then((past) => {
        const first = made.events[0]?.sequence ?? Number.POSITIVE_INFINITY
        made.events.unshift(...past.reverse().filter(({ sequence }) => sequence < first))
        made.complete = past.length < KEPT
      })
      made.read.catch(() => this.pages.delete(system))
      this.pages.set(system, made)
      pages = made
    }
    await pages.read
    return pages
  }

  /** From the log, latest first. */
  private async read(system: LiveSystem, limit: number, to?: number): Promise<AlarmEvent[]> {
    const query = { kinds: ['alarm' as const], limit, reverse: true, to }
    const records = await this.service.log.read(system.id, query)
    return records.map((record: StoredRecord) =>
      alarmEvent(decodeBody('alarm', record.body, system.channels).body, record),
    )
  }
}
