import type { TableOptions } from '@pb-oel/lab'
import { InvalidArgumentError, Option } from 'commander'

/** A parser of numbers for commander that says what was expected. */
export function number(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (text.trim() === '' || !(value >= low && value <= high)) {
      throw new InvalidArgumentError(`Expected a number in [${low}, ${high}].`)
    }
    return value
  }
}

/** A parser of whole numbers. */
export function integer(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (text.trim() === '' || !Number.isInteger(value) || value < low || value > high) {
      throw new InvalidArgumentError(`Expected a whole number in [${low}, ${high}].`)
    }
    return value
  }
}

/** A parser of numbers with commas between them. */
export function numbers(low: number, high: number): (text: string) => number[] {
  const one = number(low, high)
  return (text) => [...new Set(text.split(',').map(one))]
}

/** A parser of words with commas between them. */
export function words(text: string): string[] {
  const found = text.split(',').map((word) => word.trim())
  if (found.includes('')) throw new InvalidArgumentError('Expected names with commas between them.')
  return [...new Set(found)]
}

/** A parser of `name=value` pairs that collects into one object; values are JSON where they can be. */
export function setting(text: string, earlier: Record<string, unknown> = {}): Record<string, unknown> {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('Expected name=value.')
  const value = text.slice(at + 1)
  let parsed: unknown = value
  try {
    parsed = JSON.parse(value)
  } catch {
    // A plain word.
  }
  return { ...earlier, [text.slice(0, at)]: parsed }
}

/** The option of every command that opens systems, which may use modules. */
export function moduleOption(): Option {
  return new Option(
    '--module <path>',
    'a method, detector or learner that systems use; may be given several times',
  ).argParser((path: string, earlier: string[] = []) => [...earlier, path])
}

/** What `<stream>` may be. */
export const STREAM_ARGUMENT =
  'a generator (dive, dive:seed=3,samples=60000), a path to a .csv, .tsv, .arff, .ndjson or .parquet file (each also ' +
  'with .gz), - for standard input, or a module (./waves.ts)'

/** The options of every command that reads a stream, as they are parsed. */
export interface StreamWords extends Omit<TableOptions, 'unlabelled'> {
  samples?: number
}

/** The options of every command that reads a stream. */
export function streamOptions(): Option[] {
  return [
    new Option('--samples <n>', 'length of a generated stream, or how many samples of a file to read').argParser(
      integer(1, 1e9),
    ),
    new Option('--label <column>', 'name of the label column of a file (default: the last column)'),
    new Option('--missing <rule>', 'missing values of a file: an error, the last value, or the mean so far')
      .choices(['error', 'last', 'mean'])
      .default('error'),
    new Option('--drop <columns>', 'columns of a file to leave out, with commas between them').argParser(words),
    new Option(
      '--channels <columns>',
      'columns of a file that are channels, in this order (default: all others)',
    ).argParser(words),
    new Option(
      '--time <column>',
      'column of a file with the time: ISO 8601, day first, or seconds to nanoseconds since 1970; disorder is an error',
    ),
    new Option('--sort', 'sort the rows of a file by --time'),
    new Option(
      '--levels <labels>',
      'the labels of a file, safest first (default: numbers by value, text by appearance with a warning)',
    ).argParser(words),
    new Option(
      '--units <units>',
      'units of channels, such as depth=m,temperature=°C; or row where they stand below the header',
    ).argParser(units),
  ]
}

/** Which of the options of a command say how a file is read, without the defaults. */
export function streamWords(options: StreamWords): StreamWords {
  const { samples, label, missing, drop, channels, time, sort, levels, units } = options
  const given = {
    samples,
    label,
    missing: missing === 'error' ? undefined : missing,
    drop,
    channels,
    time,
    sort,
    levels,
    units,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** A parser of `name=unit` pairs with commas between them, or the word `row`. */
function units(text: string): TableOptions['units'] {
  if (text === 'row') return text
  return Object.fromEntries(
    words(text).map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1 || at === pair.length - 1) throw new InvalidArgumentError('Expected name=unit pairs, or row.')
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}
