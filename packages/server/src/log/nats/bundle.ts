import { GENESIS, type NewRecord, type StoredRecord } from '../record.ts'

/** Records of one system that were published as one message: kept together or not at all. */
export interface Bundle {
  /** Number of the first record. Without records, the number of the next one to come. */
  first: number
  /** Hash of the record before it. */
  before: string
  /** Time of the last record. Without records, of the last one before. */
  time: number
  records: StoredRecord[]
  /** Present in the last message of a system that is deleted. */
  deletion?: Deletion
  /** The object that holds the bodies, where they are too large for a message; the records have none then. */
  apart?: string
}

/** The end of a system. From this message on it is deleted, and whoever finds it finishes the rest. */
export interface Deletion {
  /** What the server's own log says about it. */
  record: NewRecord
  /** How the names of its cursors begin. */
  cursors: string
}

/** A bundle at its place in the stream of its shard. */
export interface StoredBundle extends Bundle {
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
  /** Present when the system is deleted. */
  deletion?: Deletion
}

/** The end of a chain that has not begun. */
export const NO_HEAD: Head = { sequence: 0, hash: GENESIS, time: 0, place: 0 }

/** The header that names the writer. NATS has one of its own with the same content, which copies may leave out. */
export const ID_HEADER = 'Pb-Oel-Id'

type Row = [time: number, kind: string, body: string, hash: string]

/** A bundle as the payload of a message. */
export function encodeBundle({ first, before, time, records, deletion, apart }: Bundle): string {
  const rows = records.map((record): Row => [record.time, record.kind, record.body, record.hash])
  return JSON.stringify({ first, before, time, records: rows, deletion, apart })
}

/** The bundle of a message. */
export function decodeBundle(place: number, id: string, payload: Uint8Array): StoredBundle {
  const { first, before, time, records, deletion, apart } = JSON.parse(Buffer.from(payload).toString())
  return {
    ...{ first, before, time, place, id, ...(deletion && { deletion }), ...(apart && { apart }) },
    records: (records as Row[]).map(([time, kind, body, hash], i) => ({
      ...{ sequence: first + i, time, body, hash },
      kind: kind as NewRecord['kind'],
    })),
  }
}

/** Number of the last record up to and including a bundle. */
export function lastOf({ first, records }: Bundle): number {
  return first + records.length - 1
}

/** A bundle as an index knows it. */
export function placeOf(bundle: StoredBundle): { last: number; place: number } {
  return { last: lastOf(bundle), place: bundle.place }
}

/** The end of the chain that has this bundle last. */
export function headOf(bundle: StoredBundle): Head {
  const hash = bundle.records.at(-1)?.hash ?? bundle.before
  const { time, place, deletion } = bundle
  return { sequence: lastOf(bundle), hash, time, place, ...(deletion && { deletion }) }
}
