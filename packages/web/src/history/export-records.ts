import type { LogRecord } from '@pb-oel/protocol'
import { describe, who } from './describe-record.ts'

/** Records as CSV (RFC 4180). An apostrophe goes in front of a text that a spreadsheet would take for a formula. */
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

/** Records as JSON lines, as the server shows them. */
export function toJsonLines(records: readonly LogRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}
