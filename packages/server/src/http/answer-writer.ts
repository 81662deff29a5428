import { createRequire } from 'node:module'
import type { FastifySerializerCompiler } from 'fastify'

type Write = (value: unknown) => string

// The compiler that Fastify itself uses, in its version.
const ofFastify = createRequire(import.meta.resolve('fastify'))
const { SerializerSelector } = ofFastify('@fastify/fast-json-stringify-compiler')
const compile: (part: { schema: unknown }) => Write = SerializerSelector()({}, {})

const written = new WeakMap<object, Write>()

/**
 * Writes answers by their schemas. Each is compiled when it is first used: all of them take longer than the rest of a
 * start.
 */
export const answerWriter: FastifySerializerCompiler<object> = ({ schema }) => {
  return (value) => {
    let write = written.get(schema)
    if (!write) {
      write = compile({ schema })
      written.set(schema, write)
    }
    return write(value)
  }
}
