import { InvalidRequest } from '../../errors.ts'

/** One point of the line protocol. */
export interface Point {
  /** Number of the line, from 1. */
  line: number
  measurement: string
  /** In the order of the line. */
  tags: readonly (readonly [key: string, value: string])[]
  /** Numbers; truth values are 1 and 0; texts stay texts. */
  fields: readonly (readonly [key: string, value: number | string])[]
  /** In the precision of the request; absent where the line has none. */
  timestamp?: bigint
}

/** Limits of measurement and tags, so that a line costs no more than it is long. */
const MOST_TAGS = 64
const LONGEST_SERIES = 1_024
/** Behind so many wrong lines nothing more of a text is read: it is none of points. */
const MOST_WRONG = 100

/** A line that is no point, or a moment that is no sample: what is wrong, and in which line. */
export class InvalidLine extends InvalidRequest {
  readonly line: number

  constructor(line: number, what: string) {
    super(`line ${line}: ${what}`)
    this.line = line
  }
}

/**
 * Reads points of the InfluxDB line protocol (v2): `measurement,tag=value field=1.5,other=2i 1794736800000000000`.
 * Empty lines and comments are left out. Lines that are wrong are told, and
 * the others go on, up to 100 wrong ones.
 *
 * `tank,site=north pressure=1.5,open=t 1794736800` is a point whose fields are pressure 1.5 and open 1.
 */
export function readPoints(text: string): { points: Point[]; wrong: InvalidLine[] } {
  const points: Point[] = []
  const wrong: InvalidLine[] = []
  let number = 1
  let at = 0
  // Behind a quote that is never closed nothing is looked for any more: otherwise each line could search all the rest.
  let closed = true
  while (at < text.length && wrong.length < MOST_WRONG) {
    const feed = text.indexOf('\n', at)
    const nextFeed = feed < 0 ? text.length : feed
    const quoted: number | undefined = closed ? endBehindQuotes(text, at, nextFeed) : nextFeed
    closed &&= quoted !== undefined
    const end = quoted ?? nextFeed
    const line = text.slice(at, end).trim()
    if (line !== '' && !line.startsWith('#')) {
      try {
        points.push(readPoint(line, number))
      } catch (error) {
        if (!(error instanceof InvalidLine)) throw error
        wrong.push(error)
      }
    }
    // A text in quotes may go over several lines.
    for (let i = at; i <= end && i < text.length; i++) if (text[i] === '\n') number++
    at = end + 1
  }
  return { points, wrong }
}

/**
 * Where the line ends that begins at `from`: at the first line feed outside of quotes; `undefined` where a quote is
 * never closed.
 *
 * @param plain the first line feed
 */
function endBehindQuotes(text: string, from: number, plain: number): number | undefined {
  // Only a value of a field may be quoted, behind its equals sign.
  if (!text.slice(from, plain).includes('="')) return plain
  let quoted = false
  for (let i = from; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '"' && (quoted || text[i - 1] === '=')) quoted = !quoted
    else if (text[i] === '\n' && !quoted) return i
  }
  return quoted ? undefined : text.length
}

function readPoint(text: string, line: number): Point {
  const [series, fields, timestamp, ...rest] = split(text, ' ').filter((part) => part !== '')
  if (fields === undefined) throw new InvalidLine(line, 'expected a measurement, a space and fields')
  if (rest.length > 0) throw new InvalidLine(line, `expected nothing behind the time, got ${short(rest[0])}`)
  const [measurement, ...tags] = split(series, ',')
  if (series.length > LONGEST_SERIES || tags.length > MOST_TAGS) {
    throw new InvalidLine(line, `expected at most ${MOST_TAGS} tags and ${LONGEST_SERIES} characters before the fields`)
  }
  if (measurement === '') throw new InvalidLine(line, 'expected a measurement before the first comma')
  const point = {
    line,
    measurement: plain(measurement),
    tags: tags.map((tag) => pair(tag, line).map(plain) as [string, string]),
    fields: split(fields, ',').map((field) => {
      const [key, value] = pair(field, line)
      return [plain(key), readValue(value, line)] as const
    }),
  }
  if (timestamp === undefined) return point
  if (!/^-?\d{1,19}$/.test(timestamp)) {
    throw new InvalidLine(line, `expected the time as a whole number, got ${short(timestamp)}`)
  }
  return { ...point, timestamp: BigInt(timestamp) }
}

/** The parts of a text between separators that are neither escaped nor in quotes. */
function split(text: string, separator: string): string[] {
  const parts: string[] = []
  let quoted = false
  let from = 0
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '"' && (quoted || text[i - 1] === '=')) quoted = !quoted
    else if (text[i] === separator && !quoted) {
      parts.push(text.slice(from, i))
      from = i + 1
    }
  }
  parts.push(text.slice(from))
  return parts
}

function pair(text: string, line: number): [string, string] {
  const [key, ...rest] = split(text, '=')
  const value = rest.join('=')
  if (key === '' || value === '') throw new InvalidLine(line, `expected key=value, got ${short(text)}`)
  return [key, value]
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/
const WHOLE = /^[+-]?\d+[iu]$/
const TRUE = /^(t|T|true|True|TRUE)$/
const TEXT = /^"(?:[^"\\]|\\.)*"$/s
const FALSE = /^(f|F|false|False|FALSE)$/

function readValue(text: string, line: number): number | string {
  if (NUMBER.test(text) || WHOLE.test(text)) {
    const value = Number(text.replace(/[iu]$/, ''))
    if (Number.isFinite(value)) return value
  }
  if (TRUE.test(text)) return 1
  if (FALSE.test(text)) return 0
  if (TEXT.test(text)) return text.slice(1, -1).replace(/\\(["\\])/g, '$1')
  throw new InvalidLine(line, `expected a number, a truth value or a text in quotes, got ${short(text)}`)
}

/** Commas, equals signs and spaces are escaped by a backslash; one before anything else stands for itself. */
const plain = (text: string): string => text.replace(/\\([,= ])/g, '$1')

const short = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
