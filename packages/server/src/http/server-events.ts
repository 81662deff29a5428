import { PassThrough } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { decodeBody, type RecordEvent, type RecordKind, type Sample, type SystemEvent } from '@pb-oel/protocol'
import type { EventLog } from '../log/event-log.ts'
import type { StoredRecord } from '../log/record.ts'
import type { LiveSystem, Written } from '../service/live-system.ts'
import { recordEvent } from '../views/record-event.ts'

/** Seconds between comments that keep idle connections open. */
const HEARTBEAT_SECONDS = 15
/** Bytes that may wait for a slow reader before it is cut off; it comes back with Last-Event-ID and misses nothing. */
const BUFFER = 1 << 20
/** Writes that may arrive while the past is being sent. */
const WAITING = 10_000
/** Records read at once. */
const PAGE = 500

/**
 * Records of a system as server-sent events: first those after `after` from the log, then each as it reaches the disk.
 * The id of an event is the number of its record.
 */
export function eventStream(
  log: EventLog,
  system: LiveSystem,
  after: number,
  kinds: readonly RecordKind[],
): PassThrough {
  const follower = new Follower(log, system, kinds)
  follower.start(after)
  return follower.stream
}

/** One client that follows a system. */
class Follower {
  readonly stream = new PassThrough({ highWaterMark: BUFFER })
  private readonly log: EventLog
  private readonly system: LiveSystem
  private readonly kinds: readonly RecordKind[]
  private readonly waiting: Written[] = []
  private live = false
  /** Number of the last record that was sent or passed. */
  private sent = 0

  constructor(log: EventLog, system: LiveSystem, kinds: readonly RecordKind[]) {
    this.log = log
    this.system = system
    this.kinds = kinds
  }

  start(after: number): void {
    const { stream, system } = this
    this.sent = after
    const unsubscribe = system.subscribe((written) => {
      if (this.live) this.sendWritten(written)
      else if (this.waiting.push(written) > WAITING) stream.destroy()
    })
    const heartbeat = setInterval(() => stream.write(':\n\n'), HEARTBEAT_SECONDS * 1000)
    // The client comes back with Last-Event-ID, to whoever has the system then.
    const stopWaiting = system.onEnd(() => stream.end())
    stream.once('close', () => {
      unsubscribe()
      stopWaiting()
      clearInterval(heartbeat)
    })
    stream.write('retry: 1000\n\n')
    this.catchUp().catch((error) => stream.destroy(error))
  }

  private async catchUp(): Promise<void> {
    const { stream, log } = this
    const { id } = this.system
    const first = (await log.extent(id))?.first ?? 1
    if (this.sent + 1 < first) {
      stream.write(`event: gap\ndata: {"from":${this.sent + 1},"to":${first - 1}}\n\n`)
    }
    // An assessment is told with its sample, which is the record before it.
    const kinds: readonly RecordKind[] = this.kinds.includes('assessment') ? [...this.kinds, 'sample'] : this.kinds
    for (let from = this.sent, more = true; more && !stream.destroyed; ) {
      const records = await log.read(id, { from, kinds, limit: PAGE })
      for (const [i, record] of records.entries()) this.sendRecord(record, records[i - 1])
      more = records.length === PAGE
      // The last one again, in case it is the sample of the first assessment of the next page.
      from = records.at(-1)?.sequence ?? from
      while (stream.writableNeedDrain && !stream.destroyed) await setTimeout(50)
    }
    this.live = true
    for (const written of this.waiting.splice(0)) this.sendWritten(written)
  }

  private sendRecord(record: StoredRecord, before: StoredRecord | undefined): void {
    if (record.sequence <= this.sent) return
    const { channels } = this.system
    const event = { kind: record.kind, body: decodeBody(record.kind, record.body, channels).body } as SystemEvent
    const belongs = record.kind === 'assessment' && before?.sequence === record.sequence - 1
    this.send(record, event, belongs ? decodeBody('sample', before.body, channels).body : undefined)
  }

  private sendWritten({ sequence, time, events }: Written): void {
    const sample = events[0].kind === 'sample' ? events[0].body : undefined
    events.forEach((event, i) => {
      // What arrived while the past was being sent may have been in its last page.
      if (sequence + i > this.sent) this.send({ sequence: sequence + i, time }, event, sample)
    })
  }

  private send(place: { sequence: number; time: number }, event: SystemEvent, sample: Sample | undefined): void {
    this.sent = place.sequence
    if (!this.kinds.includes(event.kind)) return
    let text = TEXTS.get(event)
    if (text === undefined) {
      text = eventText(recordEvent(this.system.levels, place, event, sample))
      TEXTS.set(event, text)
    }
    if (!this.stream.write(text) && this.live) this.stream.destroy()
  }
}

/** Events as they are sent: all followers of a system get the same text, which is made once. */
const TEXTS = new WeakMap<SystemEvent, string>()

function eventText({ id, event, data }: RecordEvent): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
