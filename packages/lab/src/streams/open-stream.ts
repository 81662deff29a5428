import { basename } from 'node:path'
import { OptionError, type Stream, UnknownOptionError } from '@pb-oel/core'
import { findDataSet, localCopy } from '../data/data-sets.ts'
import { readArff } from './arff.ts'
import { parseCsv } from './csv.ts'
import { DRIFTS, GENERATORS } from './generators.ts'
import { readNdjson } from './ndjson.ts'
import { readParquet } from './parquet.ts'
import { readBytes } from './read-file.ts'
import { TableBuilder, type TableOptions } from './table-stream.ts'

/** How a stream is opened. */
export interface OpenOptions extends TableOptions {
  /** Seed of a generator whose address names none. */
  seed?: number
  /** Number of samples: of a generator whose address names none, or how many of a file's are read. */
  samples?: number
}

const FORMATS = '.csv, .arff, .ndjson (each also with .gz) or .parquet'

/**
 * Opens a stream by its address: a generator (`dive`, `dive:seed=3,samples=60000`), drift between two streams
 * (`abrupt:at=15000+sea+sea:concept=2`), a downloaded data set (`jiaolong`), or a path to a .csv, .arff, .ndjson or
 * .parquet file.
 *
 * @example
 * import { openStream } from '@pb-oel/lab'
 * const stream = openStream('dive:samples=1000')
 * stream.channels.length // 24
 */
export function openStream(address: string, options: OpenOptions = {}): Stream {
  const [name, ...rest] = address.split(':')
  const generator = GENERATORS.find((generator) => generator.name === name)
  if (generator) {
    const settings = parseSettings(rest.join(':'), name, generator.settings)
    const { seed, samples } = options
    return generator.open({
      ...(seed !== undefined && { seed }),
      ...(samples !== undefined && { samples }),
      ...settings,
    })
  }
  const [head, ...parts] = address.split('+')
  const [kind, settings = ''] = head.split(':')
  const drift = DRIFTS.find((drift) => drift.name === kind)
  if (drift) {
    if (parts.length !== 2) throw new OptionError('stream', address, `${kind}:settings+first+second`)
    const [first, second] = parts.map((part) => openStream(part, options))
    return drift.open(first, second, parseSettings(settings, kind, drift.settings))
  }
  const stream = openFile(findDataSet(address) ? localCopy(address) : address, options)
  return options.samples === undefined ? stream : firstSamples(stream, options.samples)
}

function parseSettings(text: string, name: string, known: readonly string[]): Record<string, number> {
  const settings: Record<string, number> = {}
  for (const part of text.split(',').filter(Boolean)) {
    const [key, value] = part.split('=')
    if (!known.includes(key)) throw new UnknownOptionError(`${name}:${key}`, value, undefined, known)
    if (value === undefined || value.trim() === '' || Number.isNaN(Number(value))) {
      throw new OptionError(`${name}:${key}`, value, 'a number')
    }
    settings[key] = Number(value)
  }
  return settings
}

function openFile(path: string, options: TableOptions): Stream {
  const [, format] = path.toLowerCase().match(/\.(?:(csv|arff|ndjson|jsonl)(?:\.gz)?|parquet)$/) ?? [
    undefined,
    undefined,
  ]
  const table = new TableBuilder(path, options)
  if (format === 'csv') parseCsv(text(path), path, (cells, line) => table.add(cells, line))
  else if (format === 'arff') readArff(text(path), path, table)
  else if (format !== undefined) readNdjson(text(path), path, table)
  else if (path.toLowerCase().endsWith('.parquet')) readParquet(path, table)
  else {
    const names = [...GENERATORS, ...DRIFTS].map(({ name }) => name).join(', ')
    throw new OptionError('stream', path, `a generator (${names}) or a path to a ${FORMATS} file`)
  }
  return table.finish(basename(path))
}

const text = (path: string): string => readBytes(path).toString('utf8')

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
