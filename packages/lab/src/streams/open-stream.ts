import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { dive, OptionError, type Stream } from '@pb-oel/core'
import { DataError } from '../errors.ts'
import { parseCsv } from './csv.ts'
import { TableBuilder, type TableOptions } from './table-stream.ts'

/** How a stream is opened. */
export interface OpenOptions extends TableOptions {
  /** Seed of a generator whose address names none. */
  seed?: number
  /** Number of samples: of a generator whose address names none, or how many of a file's are read. */
  samples?: number
}

/** A stream that ships with the product. */
export interface Generator {
  readonly name: string
  readonly summary: string
  /** Names of the settings its address may carry. */
  readonly settings: readonly string[]
  open(settings: Record<string, number>): Stream
}

/** Every generator. */
export const GENERATORS: readonly Generator[] = [
  {
    name: 'dive',
    summary: 'a simulated dive of a manned submersible: 24 channels, 3 levels, concept drift (30,000 samples)',
    settings: ['seed', 'samples', 'labelNoise', 'sharpness'],
    open: dive,
  },
]

/**
 * Opens a stream by its address: a generator (`dive`, `dive:seed=3,samples=60000`) or a path to a .csv or .csv.gz file.
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
    const settings = parseSettings(rest.join(':'), generator)
    const { seed, samples } = options
    return generator.open({ ...(seed !== undefined && { seed }), ...(samples !== undefined && { samples }), ...settings })
  }
  if (!/\.csv(\.gz)?$/i.test(address)) {
    const names = GENERATORS.map((generator) => generator.name).join(', ')
    throw new OptionError('stream', address, `a generator (${names}) or a path to a .csv or .csv.gz file`)
  }
  const stream = readCsvFile(address, options)
  return options.samples === undefined ? stream : head(stream, options.samples)
}

function parseSettings(text: string, generator: Generator): Record<string, number> {
  const settings: Record<string, number> = {}
  for (const part of text.split(',').filter(Boolean)) {
    const [key, value] = part.split('=')
    if (!generator.settings.includes(key)) {
      throw new OptionError(`${generator.name}:${key}`, value, `a setting; there are ${generator.settings.join(', ')}`)
    }
    if (value === undefined || value.trim() === '' || Number.isNaN(Number(value))) {
      throw new OptionError(`${generator.name}:${key}`, value, 'a number')
    }
    settings[key] = Number(value)
  }
  return settings
}

function readCsvFile(path: string, options: TableOptions): Stream {
  const builder = new TableBuilder(path, options)
  parseCsv(readText(path), path, (cells, line) => builder.add(cells, line))
  return builder.finish(basename(path))
}

function readText(path: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new DataError(path, code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`)
  }
  if (!path.toLowerCase().endsWith('.gz')) return bytes.toString('utf8')
  try {
    return gunzipSync(bytes).toString('utf8')
  } catch {
    throw new DataError(path, 'not a complete gzip file')
  }
}

/** The first `samples` samples of a stream. */
function head(stream: Stream, samples: number): Stream {
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
