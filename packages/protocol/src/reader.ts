import type { Static, TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import type { ValueError } from '@sinclair/typebox/errors'

/** What arrived at a border does not have the shape it must have. */
export class InvalidShape extends Error {
  /** Where in the value, such as `/values/3`; empty for the value itself. */
  readonly path: string

  constructor(what: string, path: string, expected: string) {
    super(`${what}${path}: ${expected}`)
    this.name = 'InvalidShape'
    this.path = path
  }
}

/**
 * Makes the function that checks values of a shape. It returns the value, or throws an {@link InvalidShape} that says
 * what is wrong where. The check is compiled at its first use.
 *
 * @param what the value in messages, such as `sample`
 */
export function reader<T extends TSchema>(schema: T, what: string): (value: unknown) => Static<T> {
  let check: TypeCheck<T> | undefined
  return (value) => {
    check ??= TypeCompiler.Compile(schema)
    if (check.Check(value)) return value
    const error = deepest(check.Errors(value).First() as ValueError)
    throw new InvalidShape(what, error.path, expectation(error))
  }
}

/** Of the ways in which an alternative is missed, the one that came furthest. */
function deepest(error: ValueError): ValueError {
  const inner = error.errors.flatMap((errors) => {
    const first = errors.First()
    return first ? [deepest(first)] : []
  })
  return inner.reduce((best, other) => (other.path.length > best.path.length ? other : best), error)
}

function expectation({ schema, message }: ValueError): string {
  const words: readonly string[] | undefined = schema.enum
  if (words) return `expected one of ${words.join(', ')}`
  if (message === 'Expected union value' && schema.description) return `expected ${schema.description}`
  return message.charAt(0).toLowerCase() + message.slice(1)
}
