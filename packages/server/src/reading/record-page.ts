import { decodeBody, type LogPage, RECORD_VERSION } from '@pb-oel/protocol'
import type { LogReader } from '../log/event-log.ts'
import type { RecordQuery } from './reading.ts'

/** Records of the log in order, in their present shape. */
export async function recordPage(log: LogReader, query: RecordQuery): Promise<LogPage> {
  const { system, channels, from, to, kinds, by, limit, latest } = query
  const extent = await log.extent(system)
  const records = await log.read(system, { from, to, kinds, by, limit, reverse: latest })
  const end = records.at(-1)?.sequence
  return {
    first: extent?.first ?? 1,
    last: extent?.last ?? 0,
    records: records.map(({ sequence, time, kind, body, hash }) => ({
      ...{ sequence, time, kind },
      body: { version: RECORD_VERSION, ...decodeBody(kind, body, channels).body },
      hash,
    })),
    ...(records.length === limit && end !== undefined && { next: latest ? end - 1 : end + 1 }),
  }
}
