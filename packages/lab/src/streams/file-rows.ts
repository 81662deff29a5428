import { ArffRows } from './arff.ts'
import { CsvRows } from './csv.ts'
import { fileText } from './file-bytes.ts'
import { NdjsonRows } from './ndjson.ts'
import { ParquetRows } from './parquet.ts'
import type { RowReader } from './row-reader.ts'
import { unpackedCopy } from './spool.ts'

/** A format of tables, as the end of a file's name says it. */
export type FileFormat = 'csv' | 'tsv' | 'arff' | 'ndjson' | 'parquet'

/** What files may be called, for messages. */
export const FORMATS = '.csv, .tsv, .txt, .arff, .ndjson, .jsonl or .parquet (each also with .gz)'

const ENDINGS: Readonly<Record<string, FileFormat>> = {
  csv: 'csv',
  txt: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  arff: 'arff',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  parquet: 'parquet',
}

/** The format of a file and how its rows are opened; no format where the name says none. */
export function fileRows(path: string): { format: FileFormat | undefined; open: () => RowReader } {
  const [, ending = ''] = path.toLowerCase().match(/\.([a-z]+)(?:\.gz)?$/) ?? []
  const format = Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending] : undefined
  return { format, open: () => openRows(path, format) }
}

function openRows(path: string, format: FileFormat | undefined): RowReader {
  switch (format) {
    case 'parquet':
      return new ParquetRows(path.toLowerCase().endsWith('.gz') ? unpackedCopy(path) : path)
    case 'arff':
      return new ArffRows(fileText(path), path)
    case 'ndjson':
      return new NdjsonRows(fileText(path), path)
    default:
      return new CsvRows(fileText(path), path, format === 'tsv')
  }
}
