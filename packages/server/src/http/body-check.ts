import { reader } from '@pb-oel/protocol'
import type { TSchema } from '@sinclair/typebox'
import { Ajv, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'

/**
 * Queries and parts of addresses are text, so numbers in them are converted; bodies must be what they say. `1e999` is
 * converted to infinity, and with strict numbers no bound would be compared with it.
 */
const converting = new Ajv({ allErrors: false, coerceTypes: true, strictTypes: false, strictNumbers: false })

/** A check that is compiled when it is first used: a server has a hundred of them, and is to start soon. */
function converted(schema: object): { (value: unknown): boolean; errors?: ValidateFunction['errors'] } {
  let compiled: ValidateFunction | undefined
  const check: ReturnType<typeof converted> = (value) => {
    compiled ??= converting.compile(schema)
    const right = compiled(value)
    check.errors = compiled.errors
    return right
  }
  return check
}

/**
 * Makes the check of everything that arrives with a request. Bodies are checked by the protocol, here and nowhere else.
 *
 * @param read checks the body in place of its schema alone, such as one that also takes former names
 */
export function requestCheck(read?: (body: unknown) => unknown): FastifySchemaCompiler<unknown> {
  return ({ schema, httpPart }) => {
    if (httpPart !== 'body') return converted(schema as object)
    const check = read ?? reader(schema as TSchema, 'body')
    return (body: unknown) => {
      try {
        return { value: check(body) }
      } catch (error) {
        return { error: error as Error }
      }
    }
  }
}

/** The check of a request whose handler reads its body itself, as one document or line by line. */
export const unread = requestCheck((body) => body)
