import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs'

/** Digits of the number: as many as the largest has, so that each write covers the one before. */
const DIGITS = 16

/**
 * How many records a store has taken, in a small file beside it. SQLite drops the rest of a write-ahead log that is
 * damaged or cut, and says nothing. The mark is written after the disk has the records. So it is never ahead, unless
 * records were lost.
 */
export class CommitMark {
  private readonly file: number

  constructor(store: string) {
    this.file = openSync(`${store}-mark`, constants.O_RDWR | constants.O_CREAT, 0o600)
  }

  /** The number that was written last; 0 before that. */
  read(): number {
    const buffer = Buffer.alloc(DIGITS)
    readSync(this.file, buffer, 0, DIGITS, 0)
    return Number.parseInt(buffer.toString('latin1'), 10) || 0
  }

  write(records: number): void {
    writeSync(this.file, `${String(records).padStart(DIGITS, '0')}\n`, 0)
  }

  close(): void {
    closeSync(this.file)
  }
}
