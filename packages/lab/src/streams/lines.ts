import { DataError } from '../errors.ts'
import { type ByteSource, decodeText } from './byte-source.ts'

/** A line longer than this is no line of data. */
const LONGEST_LINE = 1 << 26

/** The lines of a source, in constant memory. */
export class Lines {
  /** Number of the line, counted from 1. */
  number = 0
  /** The line without its end. */
  text = ''
  private readonly source: ByteSource
  private readonly name: string
  private piece = new Uint8Array(0)
  private at = 0

  constructor(source: ByteSource, name: string) {
    this.source = source
    this.name = name
  }

  /** Goes to the next line; false at the end. */
  next(): boolean {
    let parts: Uint8Array[] | undefined
    for (let length = 0; ; ) {
      const end = this.piece.indexOf(10, this.at)
      const part = this.piece.subarray(this.at, end < 0 ? undefined : end)
      if (end >= 0) {
        this.at = end + 1
        return this.take(parts ? Buffer.concat([...parts, part]) : part)
      }
      length += part.length
      if (length > LONGEST_LINE) {
        throw new DataError(this.name, `line ${this.number + 1} is longer than ${LONGEST_LINE / 2 ** 20} MiB`)
      }
      // A copy: the source may use its memory again.
      if (part.length > 0) parts = [...(parts ?? []), part.slice()]
      const piece = this.source.next()
      if (piece === undefined) {
        this.piece = new Uint8Array(0)
        this.at = 0
        return parts !== undefined && this.take(Buffer.concat(parts))
      }
      this.piece = piece as Uint8Array<ArrayBuffer>
      this.at = 0
    }
  }

  private take(line: Uint8Array): true {
    const text = decodeText(line)
    this.text = text.endsWith('\r') ? text.slice(0, -1) : text
    this.number++
    return true
  }
}
