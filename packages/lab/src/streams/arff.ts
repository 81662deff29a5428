import { DataError } from '../errors.ts'
import type { Column, TableBuilder } from './table-stream.ts'

/**
 * Reads ARFF, the format of Weka and MOA, into a table: `@attribute` lines declare the columns (numeric, or the words
 * of a nominal column in braces), `@data` rows follow, dense or sparse (`{index value, …}`). `%` begins a comment.
 */
export function readArff(text: string, source: string, table: TableBuilder): void {
  const columns: Column[] = []
  let inData = false
  text.split(/\r?\n/).forEach((content, index) => {
    const line = index + 1
    const trimmed = content.trim()
    if (trimmed === '' || trimmed.startsWith('%')) return
    if (inData) table.add(dataRow(trimmed, columns, source, line), line)
    else if (/^@data\b/i.test(trimmed)) {
      inData = true
      table.declare(columns)
    } else if (/^@attribute\b/i.test(trimmed)) columns.push(attribute(trimmed, source, line))
    else if (!/^@relation\b/i.test(trimmed))
      throw new DataError(source, `line ${line}: expected @relation, @attribute or @data`)
  })
  if (!inData) throw new DataError(source, 'no @data section')
}

function attribute(text: string, source: string, line: number): Column {
  const found = text.match(/^@attribute\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s{]+)\s*(\{.*\}|\S+.*)$/i)
  if (!found) throw new DataError(source, `line ${line}: expected @attribute name type`)
  const [, quoted, type] = found
  const [name] = fields(quoted)
  if (type.startsWith('{')) return { name, words: fields(type.slice(1, -1)) }
  if (/^(numeric|real|integer|string)\b/i.test(type)) return { name }
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
