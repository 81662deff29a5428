import { ChainError } from '../errors.ts'
import { chainHash, GENESIS, type StoredRecord } from './record.ts'

/** Follows a chain record by record; throws a {@link ChainError} at the first that does not fit. */
export class ChainVerifier {
  private readonly system: string
  private sequence: number
  private hash: string

  /** @param after the record verified last, by number and hash; the beginning of the log when left out */
  constructor(system: string, after: { sequence: number; hash: string } = { sequence: 0, hash: GENESIS }) {
    this.system = system
    this.sequence = after.sequence
    this.hash = after.hash
  }

  check(record: StoredRecord): void {
    if (record.sequence !== this.sequence + 1) {
      throw new ChainError(this.system, this.sequence + 1, `is missing; the next one there is ${record.sequence}`)
    }
    if (chainHash(this.hash, this.system, record.sequence, record) !== record.hash) {
      throw new ChainError(this.system, record.sequence, 'does not match its hash; it or the one before it was changed')
    }
    this.sequence = record.sequence
    this.hash = record.hash
  }
}
