import { GENESIS, type NewRecord, type StoredRecord } from '../record.ts'

/** Records of one system that were published as one message: kept together or not at all. */
export interface Batch {
  /** Number of the first record; of the next one to come when there are none. */
  first: number
  /** Hash of the record before it. */
  before: string
  /** Time of the last record, also of those before when there are none. */
  time: number
  records: StoredRecord[]
}

/** A batch at its place in the stream of its shard. */
export interface StoredBatch extends Batch {
  /** Number of the message in the stream. */
  place: number
  /** Id of the message: which writer published it. */
  id: string
}

/** Where the chain of a system ends. */
export interface Head {
  /** Number of the last record; 0 when there is none. */
  sequence: number
  hash: string
  time: number
  /** Number of the last message of the system in the stream; 0 when there is none. */
  place: number
}

/** The end of a chain that has not begun. */
export const NO_HEAD: Head = { sequence: 0, hash: GENESIS, time: 0, place: 0 }

/** The header that names the writer; the server's own de-duplication header with the same content may be left out of copies. */
export const ID_HEADER = 'Pb-Oel-Id'

type Row = [time: number, kind: string, body: string, hash: string]

/** A batch as the payload of a message. */
export function encodeBatch({ first, before, time, records }: Batch): string {
  const rows = records.map((record): Row => [record.time, record.kind, record.body, record.hash])
  return JSON.stringify({ first, before, time, records: rows })
}

/** The batch of a message. */
export function decodeBatch(place: number, id: string, payload: Uint8Array): StoredBatch {
  const { first, before, time, records } = JSON.parse(Buffer.from(payload).toString())
  return {
    ...{ first, before, time, place, id },
    records: (records as Row[]).map(([time, kind, body, hash], i) => ({
      ...{ sequence: first + i, time, body, hash },
      kind: kind as NewRecord['kind'],
    })),
  }
}

/** Number of the last record up to and including a batch. */
export function lastOf({ first, records }: Batch): number {
  return first + records.length - 1
}

/** A batch as an index knows it. */
export function placeOf(batch: StoredBatch): { last: number; place: number } {
  return { last: lastOf(batch), place: batch.place }
}

/** Where a chain ends whose last batch this is. */
export function headOf(batch: StoredBatch): Head {
  const hash = batch.records.at(-1)?.hash ?? batch.before
  return { sequence: lastOf(batch), hash, time: batch.time, place: batch.place }
}
