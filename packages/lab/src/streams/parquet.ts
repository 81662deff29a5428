import type { ParquetColumn } from './parquet-pieces.ts'
import { Pulled } from './pulled.ts'
import { type Column, type RowReader, textValue } from './row-reader.ts'

/** Reads a Parquet file, one row group at a time. */
export class ParquetRows implements RowReader {
  readonly columns: readonly Column[]
  readonly width: number
  line = 0
  private readonly pieces: Pulled<string[] | ParquetColumn[]>
  private group: ParquetColumn[] = []
  private row = 0

  constructor(path: string) {
    this.pieces = new Pulled({ kind: 'parquet', path })
    this.columns = ((this.pieces.next() ?? []) as string[]).map((name) => ({ name }))
    this.width = this.columns.length
  }

  next(): boolean {
    this.row++
    while (this.group.length === 0 || this.row >= this.group[0].length) {
      const group = this.pieces.next() as ParquetColumn[] | undefined
      if (group === undefined) return false
      this.group = group
      this.row = 0
    }
    this.line++
    return true
  }

  text(column: number): string {
    const cell = this.group[column][this.row]
    return typeof cell === 'string' ? cell : Number.isNaN(cell) ? '' : String(cell)
  }

  value(column: number): number {
    const cell = this.group[column][this.row]
    return typeof cell === 'string' ? textValue(cell) : cell
  }

  close(): void {
    this.pieces.close()
  }
}
