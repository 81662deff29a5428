import type { LogRecord } from '../api/types.ts'
import { count } from '../format.ts'
import { text } from '../strings/en.ts'

/** Who caused a record; nobody for what followed by itself. */
export function who({ body }: LogRecord): string {
  return typeof body.by === 'string' ? body.by : ''
}

/** What a record says, in one line. */
export function describe({ kind, body }: LogRecord, levels: readonly string[]): string {
  const level = (index: unknown) => levels[index as number] ?? String(index)
  const words = text.history.details
  switch (kind) {
    case 'feedback':
    case 'correction':
      return `${words.question(count(body.assessment as number))}: ${text.review.said(body.answer as 'confirm', level(body.level))}`
    case 'alarm':
      return `${words.alarm(body.number as number)}: ${text.alarm[body.status as 'normal']}, ${words.level(level(body.level))}`
    case 'acknowledgement':
      return words.alarm(body.number as number)
    case 'configuration':
      return JSON.stringify(body.change)
    case 'assessment':
      return words.level(level(body.level))
    default:
      return ''
  }
}

/** Records as CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe in front. */
export function toCsv(records: readonly LogRecord[], levels: readonly string[]): string {
  const rows = records.map((record) => [
    String(record.sequence),
    new Date(record.time).toISOString(),
    record.kind,
    who(record),
    describe(record, levels),
    record.hash,
  ])
  return [['record', 'time', 'kind', 'who', 'details', 'hash'], ...rows]
    .map((row) => row.map(field).join(','))
    .join('\r\n')
}

function field(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Records as JSON lines, as they stand in the log. */
export function toJsonLines(records: readonly LogRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}
