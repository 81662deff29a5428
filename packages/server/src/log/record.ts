import { hash } from 'node:crypto'

/**
 * What happened. Inputs change the state: `created`, `sample`, `feedback`, `correction`, `configuration`,
 * `acknowledgement`. The rest follows from them and is recorded so that a replay can be compared: `assessment`, `alarm`.
 * `snapshot` and `compaction` are marks of the log's own upkeep; `token` belongs to the server's own log.
 */
export type RecordKind =
  | 'created'
  | 'sample'
  | 'assessment'
  | 'feedback'
  | 'correction'
  | 'configuration'
  | 'alarm'
  | 'acknowledgement'
  | 'snapshot'
  | 'compaction'
  | 'token'

/** Every kind, for filters and schemas. */
export const RECORD_KINDS: readonly RecordKind[] = [
  'created',
  'sample',
  'assessment',
  'feedback',
  'correction',
  'configuration',
  'alarm',
  'acknowledgement',
  'snapshot',
  'compaction',
  'token',
]

/** A record before it has a place in the chain. */
export interface NewRecord {
  /** Wall clock of the server in milliseconds since 1970; never falls within one system. */
  readonly time: number
  readonly kind: RecordKind
  /** JSON text. Text and not an object: what was hashed is what is kept. */
  readonly body: string
}

/** A record in the log of one system. */
export interface LogRecord extends NewRecord {
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
