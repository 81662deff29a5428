import type { Sample, Stream } from '@pb-oel/core'
import { DataError } from '../errors.ts'
import { KeptRows } from './kept-rows.ts'
import { orderLevels } from './level-order.ts'
import type { RowReader } from './row-reader.ts'
import { readLayout, type TableLayout } from './table-layout.ts'
import type { TableOptions } from './table-options.ts'
import { TableRows } from './table-rows.ts'

/** One row of a table as a sample. */
export interface TableSample extends Sample {
  /** Milliseconds since 1970; NaN in a table without a time. */
  readonly time: number
}

/** A stream that is read from a table. */
export interface TableStream extends Stream {
  /** Unit of each channel; '' where none is known. */
  readonly units: readonly string[]
  /** Whether the samples have times. */
  readonly timed: boolean
  /** What a user should know about how the table was read. */
  readonly warnings: readonly string[]
  [Symbol.iterator](): Iterator<TableSample>
}

/** What a user should know about how a stream was read; nothing where it was made. */
export function streamWarnings(stream: Stream): readonly string[] {
  return (stream as Partial<TableStream>).warnings ?? []
}

/** Where the rows of a table come from. */
export interface TableSource {
  /** Name for messages. */
  readonly path: string
  /** Name of the stream. */
  readonly name: string
  /** Opens the table at its beginning. */
  open(): RowReader
}

/** Most labels that a table may have; a label column with more is another column. */
const MOST_LABELS = 255

/**
 * Opens a table as a stream. All of it is read once, so that anything wrong is refused before the first sample. A small
 * table then stays in memory; a large one is read anew by every iteration, in constant memory.
 *
 * @param samples how many rows are wanted; with `levels` no more are read
 */
export function openTable(source: TableSource, options: TableOptions = {}, samples = Infinity): TableStream {
  const { path, name } = source
  checkLevels(options)
  const first = source.open()
  const layout = closing(first, (rows) => readLayout(rows, path, options), first.columns !== undefined)
  // Only where the format declares no columns has the layout read rows.
  const rows = first.columns === undefined ? source.open() : first
  const { kept, labels, count } = closing(rows, (rows) => scanTable(rows, layout, path, options, samples))
  const found = [...labels.keys()].filter((label) => label !== '')
  const { levels, warning } = orderLevels(found, layout.columns[layout.label].words, path, options)
  const index = new Map(levels.map((label, level) => [label, level]))
  const levelOf = (label: string) => (label === '' ? -1 : index.get(label))
  kept?.finish([...labels.keys()].map((label) => levelOf(label) as number))
  return {
    name,
    channels: layout.channels.map((column) => layout.columns[column].name),
    levels,
    units: layout.units,
    timed: layout.time >= 0,
    samples: count,
    warnings: warning ? [warning] : [],
    [Symbol.iterator]: () => kept?.samples() ?? readSamples(source, layout, options, levelOf, count),
  }
}

function checkLevels({ levels }: TableOptions): void {
  if (levels && new Set(levels).size < 2) throw new DataError('--levels', 'expected at least two levels, safest first')
}

/** Closes a reader after use, or when it fails; `keep` leaves it open otherwise. */
function closing<T>(rows: RowReader, act: (rows: RowReader) => T, keep = false): T {
  let done = false
  try {
    const result = act(rows)
    done = keep
    return result
  } finally {
    if (!done) rows.close()
  }
}

interface Scan {
  /** The labels in the order of appearance, each with its place. */
  labels: Map<string, number>
  count: number
  /** The rows, where they fit into memory. */
  kept: KeptRows | undefined
}

/** Reads all rows once, checks them, and keeps them while they fit. */
function scanTable(rows: RowReader, layout: TableLayout, path: string, options: TableOptions, samples: number): Scan {
  const { sort = false, levels } = options
  const table = new TableRows(rows, layout, path, options, !sort)
  const allowed = levels ?? layout.columns[layout.label].words
  const labels = new Map<string, number>()
  const limit = levels && !sort ? samples : Infinity
  let kept: KeptRows | undefined = new KeptRows(layout.channels.length, sort)
  let count = 0
  while (count < limit && table.next()) {
    const { label } = table
    let place = labels.get(label)
    if (place === undefined) {
      if (label !== '') checkLabel(table, allowed, layout, labels.size)
      place = labels.size
      labels.set(label, place)
    }
    if (!kept?.add(table.x, place, table.time)) kept = undefined
    if (sort && !kept) throw new DataError(path, 'too large to be sorted in memory; sort the file by its time first')
    count++
  }
  if (count === 0) throw new DataError(path, 'no data rows')
  if (sort)
    kept?.sort(
      options.missing ?? 'error',
      layout.channels.map((column) => layout.columns[column].name),
      path,
    )
  return { labels, count, kept }
}

function checkLabel(table: TableRows, allowed: readonly string[] | undefined, layout: TableLayout, seen: number): void {
  if (allowed && !allowed.includes(table.label)) {
    throw table.wrong(`: the label ${JSON.stringify(table.label)} is not one of ${allowed.slice(0, 40).join(', ')}`)
  }
  if (seen >= MOST_LABELS) {
    const name = table.columnName(layout.label)
    throw table.wrong(`: more than ${MOST_LABELS} different labels in column ${name}; is it the label?`)
  }
}

/** Reads the samples of a table that does not fit into memory. */
function* readSamples(
  source: TableSource,
  layout: TableLayout,
  options: TableOptions,
  levelOf: (label: string) => number | undefined,
  count: number,
): Generator<TableSample> {
  const rows = source.open()
  try {
    const table = new TableRows(rows, layout, source.path, options)
    const sample = { x: table.x, level: 0, time: Number.NaN }
    for (let t = 0; t < count; t++) {
      const level = table.next() ? levelOf(table.label) : undefined
      if (level === undefined) throw new DataError(source.path, 'the file has changed while it was read')
      sample.level = level
      sample.time = table.time
      yield sample
    }
  } finally {
    rows.close()
  }
}
