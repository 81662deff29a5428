import { Problem } from '@pb-oel/protocol'
import { type TSchema, Type } from '@sinclair/typebox'
import { InvalidRequest } from '../errors.ts'
import { problemOf } from './problems.ts'

/** Most entries of a list. Longer ones are sent as lines, which have no end. */
const MOST_ENTRIES = 10_000

/** A body that is one entry or a list of them. */
export function oneOrMore<T extends TSchema>(entry: T, what: string) {
  const list = Type.Array(entry, { minItems: 1, maxItems: MOST_ENTRIES, description: `several ${what}, in order` })
  return Type.Union([entry, list])
}

/** The answer to {@link oneOrMore}: one result, or one for each entry, some of which may be problems. */
export function resultOrResults<T extends TSchema>(result: T) {
  return Type.Union([
    result,
    Type.Array(Type.Union([result, Problem]), { description: 'one for each entry, in order' }),
  ])
}

/** Handles the entries in order. One that cannot be handled is answered by its problem with its index. */
export function answerList<T>(
  entries: readonly unknown[],
  handle: (entry: unknown) => Promise<T>,
): Promise<(T | Problem)[]> {
  if (entries.length === 0 || entries.length > MOST_ENTRIES) {
    throw new InvalidRequest(`a list has 1 to ${MOST_ENTRIES} entries, and this one has ${entries.length}`)
  }
  return Promise.all(
    entries.map((entry, index) => handle(entry).catch((error: Error) => ({ ...problemOf(error), index }))),
  )
}

/** Writes answers as they are: a serializer would first have to find out which of the alternatives it has. */
export const plainJson = () => (value: unknown) => JSON.stringify(value)
