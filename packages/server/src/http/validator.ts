import type { FastifyRequest } from 'fastify'
import { InvalidRequest } from '../errors.ts'

/**
 * Checks a body, or a line of one. Fastify itself checks bodies by their media type, and one without a media type, or
 * with an unusual spelling of it, not at all; what comes through here is always checked.
 */
export function validator<T>(request: FastifyRequest, schema: object): (value: unknown) => T {
  const validate = request.compileValidationSchema(schema as never, 'body')
  return (value) => {
    if (validate(value) === true) return value as T
    const [error] = validate.errors ?? []
    throw new InvalidRequest(`body${error?.instancePath ?? ''} ${error?.message ?? 'does not fit'}`)
  }
}
