import type { LogReader } from '../log/event-log.ts'
import { exportColumns } from './export-columns.ts'
import { EXPORT_FORMATS } from './export-formats.ts'
import { type ExportedRange, type ExportedSample, exportedSamples } from './exported-sample.ts'

/** What to export, and how. */
export interface ExportQuery extends ExportedRange {
  /** A name of {@link EXPORT_FORMATS}. */
  format: string
  /** Also what was assessed, and who answered. */
  detail: boolean
}

/** Numbers in one piece of the file: pieces of systems with many channels have fewer rows. */
const PIECE_NUMBERS = 100_000
const MOST_ROWS = 10_000

/** The file of an export, a piece at a time. */
export async function* exportSystem(log: LogReader, query: ExportQuery): AsyncGenerator<Uint8Array> {
  const { channels, levels, detail, format } = query
  const file = EXPORT_FORMATS[format].make(exportColumns(channels, levels, detail))
  const most = Math.max(1, Math.min(MOST_ROWS, Math.floor(PIECE_NUMBERS / channels.length)))
  yield file.begin()
  let rows: ExportedSample[] = []
  for await (const row of exportedSamples(log, query)) {
    rows.push(row)
    if (rows.length < most) continue
    yield file.rows(rows)
    rows = []
  }
  if (rows.length > 0) yield file.rows(rows)
  yield file.end()
}
