import { DataError } from '../errors.ts'
import { type ByteSource, decodeText, textSource } from './byte-source.ts'
import { numberCell } from './number-cell.ts'
import type { Column, RowReader } from './row-reader.ts'

export { textSource } from './byte-source.ts'

const COMMA = 44
const QUOTE = 34
const NEWLINE = 10
const RETURN = 13
const TAB = 9
const SEMICOLON = 59
/** A row longer than this is a quote that is never closed, and not data. */
const LONGEST_ROW = 1 << 26

/**
 * Splits CSV into rows (RFC 4180: quoted fields may hold delimiters, line breaks and doubled quotes). Lines may end in
 * LF or CRLF, empty lines are skipped, and the delimiter is the one of `,` `;` and tab that the first line has most of.
 * Where it is not the comma, a comma in a number is a decimal comma.
 */
export class CsvRows implements RowReader {
  readonly columns: readonly Column[] | undefined
  line = 0
  width = 0
  private readonly source: ByteSource
  private readonly name: string
  private bytes = new Uint8Array(0)
  private at = 0
  private end = 0
  private ended = false
  private delimiter: number
  private lines = 0
  private starts = new Int32Array(64)
  /** Ends of the cells; negative where the cell holds doubled quotes. */
  private ends = new Int32Array(64)

  /**
   * @param name of the file, for messages
   * @param tabs whether tabs separate the cells, whatever the first line says
   * @param columns where they are known from elsewhere
   */
  constructor(source: ByteSource, name: string, tabs = false, columns?: readonly Column[]) {
    this.source = source
    this.name = name
    this.delimiter = tabs ? TAB : 0
    this.columns = columns
  }

  next(): boolean {
    for (;;) {
      this.line = this.lines + 1
      let next = this.tryScan()
      while (next < 0 && !this.ended) {
        this.fill()
        next = this.tryScan()
      }
      if (next < 0) return false
      this.at = next
      if (this.width > 1 || this.text(0).trim() !== '') return true
    }
  }

  text(column: number): string {
    const end = this.ends[column]
    const cell = decodeText(this.bytes, this.starts[column], Math.abs(end))
    return end < 0 ? cell.replaceAll('""', '"') : cell
  }

  value(column: number): number {
    return numberCell(this.bytes, this.starts[column], Math.abs(this.ends[column]), this.delimiter !== COMMA)
  }

  close(): void {
    this.source.close()
  }

  /** {@link scan}, once there is something to scan and the first line has told the delimiter. */
  private tryScan(): number {
    if (this.at >= this.end) return -1
    if (this.delimiter === 0) {
      const known = this.bytes.subarray(this.at, this.end)
      if (!this.ended && !known.includes(NEWLINE)) return -1
      this.delimiter = guessDelimiter(known)
    }
    return this.scan()
  }

  /** Finds the cells of the row that begins at `at`, and returns where the next one does; −1 when more is needed. */
  private scan(): number {
    const { bytes, end, delimiter } = this
    let { at } = this
    let cell = 0
    let breaks = 0
    for (;;) {
      if (cell === this.starts.length) this.widen()
      if (bytes[at] === QUOTE && at < end) {
        const found = this.quoted(at, cell)
        if (found < 0) return -1
        breaks += this.breaks
        at = found
      } else {
        this.starts[cell] = at
        while (at < end && bytes[at] !== delimiter && bytes[at] !== NEWLINE) at++
        if (at === end && !this.ended) return -1
        const isEnd = at === end || bytes[at] === NEWLINE
        this.ends[cell] = isEnd && at > this.starts[cell] && bytes[at - 1] === RETURN ? at - 1 : at
      }
      cell++
      if (at < end && bytes[at] === delimiter) at++
      else break
    }
    this.width = cell
    this.lines += breaks + 1
    return at + 1
  }

  /** Line breaks within the latest quoted cell. */
  private breaks = 0

  /** Takes the quoted cell that begins at `start`, and returns where its delimiter is; −1 when more is needed. */
  private quoted(start: number, cell: number): number {
    const { bytes, end } = this
    let doubled = false
    this.breaks = 0
    let at = start + 1
    for (; ; at++) {
      if (at >= end) return this.more(`a quoted field is never closed`)
      if (bytes[at] === NEWLINE) this.breaks++
      if (bytes[at] !== QUOTE) continue
      if (at + 1 >= end && !this.ended) return -1
      if (at + 1 >= end || bytes[at + 1] !== QUOTE) break
      doubled = true
      at++
    }
    this.starts[cell] = start + 1
    this.ends[cell] = doubled ? -at : at
    at++
    if (at + 1 >= end && !this.ended) return -1
    if (bytes[at] === RETURN && (at + 1 >= end || bytes[at + 1] === NEWLINE)) at++
    if (at < end && bytes[at] !== this.delimiter && bytes[at] !== NEWLINE) {
      const line = this.line + this.breaks
      throw new DataError(this.name, `line ${line}: text after the closing quote of field ${cell + 1}`)
    }
    return at
  }

  private more(trouble: string): -1 {
    if (this.ended) throw new DataError(this.name, `line ${this.line}: ${trouble}`)
    return -1
  }

  /** Puts the next piece of the source behind the row that is not whole yet. */
  private fill(): void {
    const left = this.end - this.at
    if (left > LONGEST_ROW) {
      throw new DataError(
        this.name,
        `line ${this.line}: the row is longer than ${LONGEST_ROW / 2 ** 20} MiB; is a quote never closed?`,
      )
    }
    const piece = this.source.next()
    if (piece === undefined) {
      this.ended = true
      return
    }
    const room = left + piece.length
    const target = room > this.bytes.length ? new Uint8Array(room + (left > 0 ? room : 1 << 16)) : this.bytes
    target.set(this.bytes.subarray(this.at, this.end))
    target.set(piece, left)
    this.bytes = target
    this.at = 0
    this.end = room
  }

  private widen(): void {
    for (const field of ['starts', 'ends'] as const) {
      const wider = new Int32Array(2 * this[field].length)
      wider.set(this[field])
      this[field] = wider
    }
  }
}

/**
 * Splits CSV text into rows of text, as {@link CsvRows} does.
 *
 * @param source name for messages
 * @param onRow gets the fields, which it may keep, and the number of the line the row began on, counted from 1
 */
export function parseCsv(text: string, source: string, onRow: (fields: string[], line: number) => void): void {
  const rows = new CsvRows(textSource(text), source)
  while (rows.next()) onRow(rowTexts(rows), rows.line)
}

/** The cells of the row that a reader is at. */
export function rowTexts(rows: RowReader): string[] {
  return Array.from({ length: rows.width }, (_, column) => rows.text(column))
}

function guessDelimiter(bytes: Uint8Array): number {
  const end = bytes.indexOf(NEWLINE)
  const first = end < 0 ? bytes : bytes.subarray(0, end)
  const count = (code: number) => first.reduce((sum, byte) => sum + Number(byte === code), 0)
  return [SEMICOLON, TAB].reduce((best, candidate) => (count(candidate) > count(best) ? candidate : best), COMMA)
}
