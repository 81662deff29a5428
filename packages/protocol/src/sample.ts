import { type Static, Type } from '@sinclair/typebox'
import { by, key, milliseconds, moment, strict } from './field.ts'
import { readMoment } from './moment.ts'
import { reader } from './reader.ts'
import { word } from './word.ts'

const value = Type.Union([Type.Number(), Type.Null()], { description: 'a number or null' })
const at = Type.Optional(milliseconds('clock of the sensor'))
const mode = Type.Optional(word(['full', 'partial', 'unknown'], 'which kind of answer will come, where that is known'))

/** A sample as callers send it. */
export const GivenSample = Type.Object(
  {
    values: Type.Union([Type.Array(value, { minItems: 1, maxItems: 10_000 }), Type.Record(Type.String(), value)], {
      description: 'numbers in the order of the channels, or by channel name; null or left out means missing',
    }),
    at: Type.Optional(moment('clock of the sensor')),
    key: Type.Optional(key),
    mode,
  },
  { ...strict, description: 'the readings of all channels at one moment' },
)

/** A sample that was checked: its moment is a number. */
export type GivenSample = Omit<Static<typeof GivenSample>, 'at'> & { at?: number }

/** The names of the channels whose last value stands in for a missing one, or whose value is outside its range. */
export const degraded = Type.Array(Type.String(), {
  description: 'names of the channels whose last value is held, or that are outside their range',
})

/** A sample as it was assessed: complete. */
export const Sample = Type.Object({
  values: Type.Array(Type.Number(), { description: 'in the order of the channels' }),
  degraded: Type.Optional(degraded),
  at,
  mode,
  key: Type.Optional(key),
  by,
})
export type Sample = Static<typeof Sample>

const readGiven = reader(GivenSample, 'sample')

/** Checks a sample that a caller sent. */
export function readSample(value: unknown): GivenSample {
  const { at, ...rest } = readGiven(value)
  return at === undefined ? rest : { ...rest, at: readMoment(at, 'sample/at') }
}
