import { DataError } from '../errors.ts'
import type { ByteSource } from './byte-source.ts'
import { Lines } from './lines.ts'
import { type Column, isMissing, type RowReader, textValue } from './row-reader.ts'

/**
 * Reads ARFF, the format of Weka and MOA: `@attribute` lines declare the columns (numeric, or the words of a nominal
 * column in braces), `@data` rows follow, dense or sparse (`{index value, …}`). `%` begins a comment.
 */
export class ArffRows implements RowReader {
  readonly columns: readonly Column[]
  width = 0
  private readonly lines: Lines
  private readonly source: ByteSource
  private readonly name: string
  private cells: string[] = []

  constructor(source: ByteSource, name: string) {
    this.source = source
    this.name = name
    this.lines = new Lines(source, name)
    this.columns = this.head()
  }

  get line(): number {
    return this.lines.number
  }

  next(): boolean {
    const row = this.content()
    if (row === undefined) return false
    this.cells = dataRow(row, this.columns, this.name, this.line)
    this.width = this.cells.length
    return true
  }

  text(column: number): string {
    return this.cells[column]
  }

  value(column: number): number {
    const { words } = this.columns[column] ?? {}
    if (!words || isMissing(this.cells[column])) return textValue(this.cells[column])
    const index = words.indexOf(this.cells[column])
    return index < 0 ? Infinity : index
  }

  close(): void {
    this.source.close()
  }

  /** The next line that says something. */
  private content(): string | undefined {
    while (this.lines.next()) {
      const trimmed = this.lines.text.trim()
      if (trimmed !== '' && !trimmed.startsWith('%')) return trimmed
    }
    return undefined
  }

  private head(): Column[] {
    const columns: Column[] = []
    for (;;) {
      const text = this.content()
      if (text === undefined) throw new DataError(this.name, 'no @data section')
      if (/^@data\b/i.test(text)) return columns
      if (/^@attribute\b/i.test(text)) columns.push(attribute(text, this.name, this.line))
      else if (!/^@relation\b/i.test(text))
        throw new DataError(this.name, `line ${this.line}: expected @relation, @attribute or @data`)
    }
  }
}

function attribute(text: string, source: string, line: number): Column {
  const found = text.match(/^@attribute\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s{]+)\s*(\{.*\}|\S+.*)$/i)
  if (!found) throw new DataError(source, `line ${line}: expected @attribute name type`)
  const [, quoted, type] = found
  const [name] = fields(quoted)
  if (type.startsWith('{')) return { name, words: fields(type.slice(1, -1)) }
  if (/^(numeric|real|integer|string|date)\b/i.test(type)) return { name }
  throw new DataError(source, `line ${line}: attributes of type ${type.split(/\s/)[0]} are not supported`)
}

function dataRow(text: string, columns: readonly Column[], source: string, line: number): string[] {
  if (!text.startsWith('{')) return fields(text)
  if (!text.endsWith('}')) throw new DataError(source, `line ${line}: a sparse row is never closed`)
  // What a sparse row does not mention is 0, or the first word of a nominal column.
  const cells = columns.map(({ words }) => (words ? words[0] : '0'))
  for (const entry of fields(text.slice(1, -1))) {
    const [at, value] = entry.split(/\s+(.*)/)
    const column = Number(at)
    if (!(Number.isInteger(column) && column >= 0 && column < cells.length) || value === undefined) {
      throw new DataError(source, `line ${line}: ${JSON.stringify(entry.slice(0, 40))} is not an index and a value`)
    }
    cells[column] = fields(value)[0]
  }
  return cells
}

/** Splits at commas (or tabs) outside quotes, and takes the quotes off. */
function fields(text: string): string[] {
  if (text.trim() === '') return []
  if (!/['"]/.test(text)) return text.split(/[,\t]/).map((field) => field.trim())
  const pieces = text.match(/(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^,\t])+|(?<=[,\t]|^)(?=[,\t]|$)/g) ?? []
  return pieces.map((piece) => {
    const trimmed = piece.trim()
    const inner = trimmed.match(/^(['"])([\s\S]*)\1$/)
    return inner ? inner[2].replaceAll(/\\(.)/g, '$1') : trimmed
  })
}
