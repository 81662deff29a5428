import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from 'hyparquet'
import { cellText, cellValue } from './row-reader.ts'

/** A cell that is neither a number nor text. */
export class NoCell extends Error {
  override readonly name = 'NoCell'
}

/** A column of a piece: numbers, with NaN where there is none, or text. */
export type ParquetColumn = Float64Array | string[]

/** What Parquet files may be packed with, besides Snappy. */
const COMPRESSORS = { GZIP: gunzipSync, ZSTD: zstdDecompressSync, BROTLI: brotliDecompressSync }

/**
 * The names of the columns of a Parquet file, then its row groups one by one, column by column. A row group is the
 * least that can be read at once, so the memory needed is that of the largest one.
 */
export async function* parquetPieces(path: string): AsyncGenerator<string[] | ParquetColumn[]> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const names = parquetSchema(metadata).children.map(({ element }) => element.name)
  yield names
  let rowStart = 0
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows)
    const columns: ParquetColumn[] = []
    for (const name of names) columns.push(await readColumn(file, metadata, { name, rowStart, rowEnd }))
    yield columns
    rowStart = rowEnd
  }
}

async function readColumn(
  file: AsyncBuffer,
  metadata: FileMetaData,
  { name, rowStart, rowEnd }: { name: string; rowStart: number; rowEnd: number },
): Promise<ParquetColumn> {
  const rows = await parquetReadObjects({
    ...{ file, metadata, rowStart, rowEnd },
    columns: [name],
    compressors: compressors(),
  })
  const cells = rows.map((row, index) => plain(row[name], `row ${rowStart + index + 1}, column ${name}`))
  return cells.some((cell) => typeof cell === 'string') ? cells.map(cellText) : Float64Array.from(cells, cellValue)
}

function compressors(): Record<string, (input: Uint8Array) => Uint8Array> {
  return Object.fromEntries(
    Object.entries(COMPRESSORS).map(([name, unpack]) => [name, (input) => new Uint8Array(unpack(input))]),
  )
}

/** Milliseconds since 1970; near 1970 as text, because so few of them would be taken for seconds. */
function plainTime(date: Date): number | string {
  const time = date.getTime()
  return Math.abs(time) < 1e11 ? date.toISOString() : time
}

function plain(value: unknown, place: string): unknown {
  if (value instanceof Date) return plainTime(value)
  if (typeof value === 'bigint') return Number(value)
  if (value !== null && typeof value === 'object') throw new NoCell(`${place}: neither a number nor text`)
  return value
}
