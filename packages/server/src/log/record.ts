import { hash } from 'node:crypto'
import type { RecordKind } from '@pb-oel/protocol'

/** The log that belongs to the server itself and not to a system; no system can have this name. */
export const SERVER_LOG = '$server'

/** A record before it has a place in the chain. */
export interface NewRecord {
  /** Wall clock of the server in milliseconds since 1970; never falls within one system. */
  readonly time: number
  readonly kind: RecordKind
  /** JSON text. Text and not an object: what was hashed is what is kept. */
  readonly body: string
}

/** A record in the log of one system, as it was written. */
export interface StoredRecord extends NewRecord {
  /** 1, 2, 3, … within the system, without gaps. */
  readonly sequence: number
  /** SHA-256 over the hash of the record before and this one's own content, hexadecimal. */
  readonly hash: string
}

/** The hash "before" the first record of every system. */
export const GENESIS = '0'.repeat(64)

/** The hash that chains a record to the one before it. */
export function chainHash(previous: string, system: string, sequence: number, record: NewRecord): string {
  return hash('sha256', `${previous}\n${system}\n${sequence}\n${record.time}\n${record.kind}\n${record.body}`)
}
