import type { Stream } from '../streams/stream.ts'
import { holds, type Law, same } from './law.ts'

/** A stream under test; a short one will do. */
export interface StreamSubject {
  create(): Stream
}

/**
 * The laws that every stream keeps.
 *
 * @example
 * import { dive } from '@pb-oel/core'
 * import { streamLaws } from '@pb-oel/core/laws'
 * for (const law of streamLaws({ create: () => dive({ samples: 500 }) })) law.check()
 */
export function streamLaws(subject: StreamSubject): Law[] {
  return [
    { name: 'every reading is finite, every level exists, and the length is as promised', check: () => shape(subject) },
    { name: 'reading it again, or making it again, gives the same samples', check: () => repeats(subject) },
    { name: 'two readings at the same time do not disturb each other', check: () => independent(subject) },
  ]
}

function shape({ create }: StreamSubject): void {
  const stream = create()
  let count = 0
  for (const { x, level } of stream) {
    holds(x.length === stream.channels.length, `sample ${count}: ${x.length} readings`)
    holds(x.every(Number.isFinite), `sample ${count}: a reading is not finite`)
    holds(Number.isInteger(level) && level >= 0 && level < stream.levels.length, `sample ${count}: level ${level}`)
    count++
  }
  holds(count === stream.samples, `${count} samples, ${stream.samples} promised`)
}

function repeats({ create }: StreamSubject): void {
  const stream = create()
  const first = read(stream)
  holds(same(read(stream), first), 'the second reading differs')
  holds(same(read(create()), first), 'a stream of the same options differs')
}

function independent({ create }: StreamSubject): void {
  const stream = create()
  const expected = read(stream)
  const found: number[] = []
  const other = stream[Symbol.iterator]()
  for (const { x, level } of stream) {
    found.push(...x, level)
    other.next()
  }
  holds(same(found, expected), 'a second reading disturbs the first')
}

/** All numbers of a stream in a row. */
function read(stream: Stream): number[] {
  const numbers: number[] = []
  for (const { x, level } of stream) numbers.push(...x, level)
  return numbers
}
