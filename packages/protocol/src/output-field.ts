import { type TSchema, Type } from '@sinclair/typebox'

/** Version of every document that a command prints with `--json`. It rises when a field changes its meaning or goes. */
export const OUTPUT_VERSION = 1

const schemaVersion = Type.Literal(OUTPUT_VERSION, { description: 'version of this form' })

/** A number of things. */
export const count = (description: string) => Type.Integer({ minimum: 0, description })

/** A number that may be unknown. */
export const figure = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })

/** Numbers by name, such as those of methods. */
export const named = <T extends TSchema>(value: T, description: string) =>
  Type.Record(Type.String(), value, { description })

/** What a figure was measured on. */
export const machine = Type.Object({}, { additionalProperties: true, description: 'what it was measured on' })

/** The document of a command. */
export const output = <T extends Record<string, TSchema>>(properties: T, description: string) =>
  Type.Object({ schemaVersion, ...properties }, { description })
