import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { InvalidRequest } from '../errors.ts'
import { problemOf } from './problems.ts'

/** Media type of one JSON document per line. */
export const NDJSON = 'application/x-ndjson'

/** Longest line in bytes; enough for 10,000 channels. */
const LINE_LIMIT = 1 << 18
const NEWLINE = 10
/** Pieces of input whose answers wait for the disk: as many as a message of a cluster may wait for. */
const UNDER_WAY = 8

/** Whether a request came as lines. */
export function isLines(request: FastifyRequest): boolean {
  return request.headers['content-type']?.split(';')[0].trim().toLowerCase() === NDJSON
}

/**
 * Answers a stream of lines with a stream of lines, in order. A line that cannot be handled is answered by its
 * problem document with the number of the line, and the next one goes on.
 *
 * Back-pressure: while the reader of the answers is slow, no further lines are read; at most eight pieces of input are
 * under way. A last line without newline counts when the stream ended properly, and is dropped when it broke off.
 */
export function answerLines(input: AsyncIterable<Buffer>, handle: (value: unknown) => Promise<object>): Readable {
  return Readable.from(answers(input, handle), { objectMode: false, highWaterMark: 1 << 16 })
}

async function* answers(
  input: AsyncIterable<Buffer>,
  handle: (value: unknown) => Promise<object>,
): AsyncGenerator<string> {
  let number = 0
  const answer = (line: Buffer): Promise<string> => {
    const at = ++number
    return attempt(line, handle).then(
      (value) => `${JSON.stringify(value)}\n`,
      (error) => `${JSON.stringify({ ...problemOf(error), line: at })}\n`,
    )
  }
  const incoming = pieces(input)
  const read = () => {
    const piece = incoming.next()
    // When the input breaks off while answers are being written, the next look notices.
    piece.catch(() => {})
    return piece
  }
  const waiting: Promise<string>[] = []
  let next = read()
  for (let ended = false; ; ) {
    // While pieces wait for the disk, others are read and assessed; answers go out as soon as they are there.
    const [first] = waiting
    if (first && (ended || waiting.length === UNDER_WAY || (await isFirst(first, next)))) {
      yield await first
      waiting.shift()
      continue
    }
    if (ended) return
    const { value: lines, done } = await next
    if (done) ended = true
    else {
      waiting.push(Promise.all(lines.map(answer)).then((texts) => texts.join('')))
      next = read()
    }
  }
}

/** Whether the one is settled before the other. */
function isFirst(one: Promise<unknown>, other: Promise<unknown>): Promise<boolean> {
  return Promise.race([one.then(() => true), other.then(() => false)])
}

async function attempt(line: Buffer, handle: (value: unknown) => Promise<object>): Promise<object> {
  if (line.length > LINE_LIMIT) throw new InvalidRequest(`a line has more than ${LINE_LIMIT} bytes`)
  let value: unknown
  try {
    value = JSON.parse(line.toString())
  } catch {
    throw new InvalidRequest('the line is not JSON')
  }
  return handle(value)
}

/** The complete lines of each piece of input; empty lines are left out. */
async function* pieces(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer[]> {
  let rest = Buffer.alloc(0)
  let tooLong = false
  for await (const chunk of input) {
    const lines: Buffer[] = []
    const buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let start = 0
    for (let end = buffer.indexOf(NEWLINE); end >= 0; end = buffer.indexOf(NEWLINE, start)) {
      // Of a line that is too long, only the beginning is kept, long enough to be refused.
      if (!tooLong && end > start) lines.push(buffer.subarray(start, end))
      tooLong = false
      start = end + 1
    }
    rest = Buffer.from(buffer.subarray(start))
    if (rest.length > LINE_LIMIT) {
      if (!tooLong) lines.push(rest)
      tooLong = true
      rest = Buffer.alloc(0)
    }
    if (lines.length > 0) yield lines
  }
  if (rest.length > 0 && !tooLong) yield [rest]
}
