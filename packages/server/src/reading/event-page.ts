import { decodeBody, type RecordEvent, type RecordKind, type SystemEvent } from '@pb-oel/protocol'
import type { LogReader } from '../log/event-log.ts'
import type { StoredRecord } from '../log/record.ts'
import { recordEvent } from '../views/record-event.ts'
import type { EventPage, EventQuery, Names } from './reading.ts'

/** Records read at once: few, so that many readers take turns. */
const PAGE = 250

/** The next events of a system after a record, as text. */
export async function eventPage(log: LogReader, query: EventQuery): Promise<EventPage> {
  const { system, after, kinds } = query
  const texts: string[] = []
  const first = (await log.extent(system))?.first ?? 1
  if (after + 1 < first) texts.push(`event: gap\ndata: {"from":${after + 1},"to":${first - 1}}\n\n`)
  // An assessment is told with its sample, which is the record before it: the last record is read again.
  const read: readonly RecordKind[] = kinds.includes('assessment') ? [...kinds, 'sample'] : kinds
  const records = await log.read(system, { from: Math.max(after, first), kinds: read, limit: PAGE })
  for (const [i, record] of records.entries()) {
    if (record.sequence > after && kinds.includes(record.kind)) texts.push(pastEvent(query, record, records[i - 1]))
  }
  const last = Math.max(after, first - 1, records.at(-1)?.sequence ?? 0)
  return { bytes: Buffer.from(texts.join('')), last, more: records.length === PAGE }
}

function pastEvent({ channels, levels }: Names, record: StoredRecord, before: StoredRecord | undefined): string {
  const event = { kind: record.kind, body: decodeBody(record.kind, record.body, channels).body } as SystemEvent
  const belongs = record.kind === 'assessment' && before?.sequence === record.sequence - 1
  const sample = belongs ? decodeBody('sample', before.body, channels).body : undefined
  return eventText(recordEvent(levels, record, event, sample))
}

/** An event as it is sent. */
export function eventText({ id, event, data }: RecordEvent): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
