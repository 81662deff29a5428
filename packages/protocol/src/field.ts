import { type TInteger, type TNumber, type TString, Type } from '@sinclair/typebox'

/** The kinds of field that many shapes share. */

/** Said of an object that takes no other fields. */
export const strict = { additionalProperties: false } as const

/** A number from 0 to 1. */
export const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })

/** A value that may be unknown. */
export const nullable = <T extends TNumber | TString | TInteger>(schema: T) => Type.Union([schema, Type.Null()])

/** A short text for people, on one line. */
export const name = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f]+$', description })

/** A moment. */
export const milliseconds = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000, description: `${description}, milliseconds since 1970` })

/** A moment as callers send it. */
export const moment = (description: string) =>
  Type.Union([milliseconds(description), Type.String({ maxLength: 40, pattern: ISO_PATTERN })], {
    description: `${description}, milliseconds since 1970 or ISO 8601 with its zone, such as 2026-11-15T10:00:00Z`,
  })

const ISO_PATTERN = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:?\\d{2})$'

/** The number of a record. */
export const sequence = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'number of a record in the log of the system',
})

/** The number of an assessment. */
export const assessmentNumber = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'number of the assessment: 0, 1, 2, … within a system',
})

/** A level. */
export const level = Type.Integer({ minimum: 0, maximum: 1000, description: 'index of a level; 0 is the safest' })

/** A level as callers send it. */
export const levelOrName = (description: string) =>
  Type.Union([level, name('level')], { description: `${description}; by its index or its name` })

/** Lets a request be repeated without harm. */
export const key = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'idempotency key: a repeated request with the same key changes nothing and gives the first answer',
})

/** Who caused something. */
export const by = Type.String({ description: 'who: the name of a token, or what an open local server was told' })
