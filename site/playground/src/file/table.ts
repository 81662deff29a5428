import type { Stream } from '@pb-oel/core'
import { CsvRows, parseCsv, textSource } from '@pb-oel/lab/csv'
import { openTable as openRows } from '@pb-oel/lab/table'
import { previewColumns } from '../../../../packages/web/src/table/columns.ts'
import type { FileColumns } from '../settings/settings.ts'

/** Reads CSV text as a stream: one column is the level, the dropped ones are left out, all others are channels. */
export function openTable(text: string, columns: FileColumns): Stream {
  const { name, level, dropped, missing } = columns
  const preview = keptColumns(text, columns)
  const open = () => {
    const rows = new CsvRows(textSource(text), name, false, preview.columns)
    if (preview.header) rows.next()
    return rows
  }
  return openRows({ path: name, name, open }, { label: level, drop: dropped, missing })
}

/** The file without the dropped columns and with the level last: what the command line reads without further words. */
export function tableText(text: string, columns: FileColumns): string {
  const { kept, names, header } = keptColumns(text, columns)
  const level = names.indexOf(columns.level)
  const ordered = [...kept.filter((_, i) => i !== level), kept[level]]
  const row = (cells: readonly string[]) => cells.map(quoted).join(',')
  const lines = [row([...names.filter((_, i) => i !== level), names[level]])]
  let first = header
  parseCsv(text, columns.name, (fields) => {
    if (first) first = false
    else lines.push(row(ordered.map((column) => fields[column] ?? '')))
  })
  return `${lines.join('\n')}\n`
}

/** Indexes and names of the columns that are kept, in the order of the file. */
function keptColumns(text: string, { name, dropped, level }: FileColumns) {
  const preview = previewColumns(text, name)
  const all = preview.columns.map((column) => column.name)
  if (!all.includes(level)) throw new Error(`${name}: no column ${level}; there are ${all.slice(0, 40).join(', ')}`)
  const kept = all.map((_, column) => column).filter((column) => !dropped.includes(all[column]))
  return { ...preview, kept, names: kept.map((column) => all[column]) }
}

const quoted = (cell: string): string => (/[",\n\r;\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
