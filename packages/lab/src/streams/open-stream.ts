import { basename } from 'node:path'
import {
  type Extensions,
  OptionError,
  type OptionTable,
  readOptions,
  type Stream,
  type StreamEntry,
} from '@pb-oel/core'
import { GENERATORS } from '@pb-oel/core/streams'
import { DataError } from '../errors.ts'
import { loadExtensions } from '../modules/load-extensions.ts'
import { isModule } from '../modules/module-name.ts'
import { findDataSet, localCopy } from './data-sets.ts'
import { DRIFTS } from './drifts.ts'
import { FORMATS, fileRows } from './file-rows.ts'
import { spooledInput } from './spool.ts'
import { splitAddress, streamModules } from './stream-address.ts'
import type { TableOptions } from './table-options.ts'
import { openTable, type TableStream } from './table-stream.ts'

/** How a stream is opened. */
export interface OpenOptions extends TableOptions {
  /** Seed of a generator whose address names none. */
  seed?: number
  /** Number of samples: of a generator whose address names none, or how many of a file's are read. */
  samples?: number
}

/**
 * Opens a stream by its address: a generator (`dive`, `dive:seed=3,samples=60000`), drift between two streams
 * (`abrupt:at=15000+sea+sea:concept=2`), a downloaded data set (`jiaolong`), a path to a .csv, .tsv, .arff, .ndjson
 * or .parquet file, `-` for standard input, or a module whose default export is a stream (`./waves.ts:seed=3`).
 *
 * @param extensions the modules that the address names; {@link loadStream} loads them
 *
 * @example
 * import { openStream } from '@pb-oel/lab'
 * const stream = openStream('dive:samples=1000')
 * stream.channels.length // 24
 */
export function openStream(address: string, options: OpenOptions = {}, extensions: Extensions = {}): Stream {
  const [head, ...parts] = address.split('+')
  const { name, settings } = splitAddress(head)
  const drift = DRIFTS.find((drift) => drift.name === name)
  if (drift) {
    if (parts.length !== 2) throw new OptionError('stream', address, `${name}:settings+first+second`)
    const [first, second] = parts.map((part) => openStream(part, options, extensions))
    return drift.open(first, second, readSettings(settings, name, drift.options))
  }
  const entry = parts.length === 0 ? findStream(name, extensions) : undefined
  if (entry) return generated(entry, name, settings, options)
  const stream = openFile(fileOf(address), options)
  return options.samples === undefined ? stream : firstSamples(stream, options.samples)
}

/** The path that an address of a file stands for: a data set is its local copy, `-` what comes from standard input. */
function fileOf(address: string): string {
  if (address === '-') return spooledInput()
  return findDataSet(address) ? localCopy(address) : address
}

/** Opens a stream as {@link openStream} does, and loads the modules that its address names. */
export async function loadStream(address: string, options: OpenOptions = {}): Promise<Stream> {
  return openStream(address, options, await loadExtensions(streamModules(address)))
}

function findStream(name: string, { streams = {} }: Extensions): StreamEntry | undefined {
  if (Object.hasOwn(streams, name)) return streams[name]
  if (isModule(name)) throw new DataError(name, 'the module exports no stream, or loadStream has not loaded it')
  return GENERATORS.find((generator) => generator.name === name)
}

/** Makes a stream from its entry. What the address says wins over `options`. */
function generated(entry: StreamEntry, name: string, settings: string, { seed, samples }: OpenOptions): Stream {
  return entry.create({
    ...(seed !== undefined && { seed }),
    ...(samples !== undefined && { samples }),
    ...readSettings(settings, name, entry.options),
  })
}

/** The settings of an address, such as `seed=3,samples=500`, checked against the options they stand for. */
function readSettings(text: string, name: string, table: OptionTable): Record<string, unknown> {
  const given: Record<string, unknown> = {}
  for (const part of text.split(',').filter(Boolean)) {
    const [key, value = ''] = part.split('=')
    if (value.trim() === '') throw new OptionError(`${name}:${key}`, value, table[key]?.allowed ?? 'a value')
    given[key] = Number.isNaN(Number(value)) ? value : Number(value)
  }
  readOptions(table, given, `${name}:`)
  return given
}

/** Opens a file as a stream, by the end of its name. */
export function openFile(path: string, options: OpenOptions = {}): TableStream {
  const { samples, seed: _, ...tableOptions } = options
  const { format, open } = fileRows(path)
  if (format === undefined) {
    const names = [...GENERATORS, ...DRIFTS].map(({ name }) => name).join(', ')
    throw new OptionError('stream', path, `a generator (${names}), a path to a ${FORMATS} file, - or a module`)
  }
  return openTable({ path, name: basename(path), open }, tableOptions, samples)
}

/** The first `samples` samples of a stream. */
function firstSamples(stream: Stream, samples: number): Stream {
  if (!Number.isInteger(samples) || samples < 1) throw new OptionError('samples', samples, 'an integer of at least 1')
  const count = Math.min(samples, stream.samples)
  return {
    ...stream,
    samples: count,
    *[Symbol.iterator]() {
      let left = count
      for (const sample of stream) {
        if (left-- === 0) return
        yield sample
      }
    },
  }
}
