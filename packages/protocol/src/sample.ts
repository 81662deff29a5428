import { type Static, Type } from '@sinclair/typebox'
import { by, key, level, milliseconds, moment, name, strict } from './field.ts'
import { readMoment } from './moment.ts'
import { reader } from './reader.ts'
import { word } from './word.ts'

const value = Type.Union([Type.Number(), Type.Null()], { description: 'a number or null' })
const at = Type.Optional(milliseconds('clock of the sensor'))
const mode = Type.Optional(word(['full', 'partial', 'unknown'], 'which kind of answer will come, where that is known'))

const given = {
  values: Type.Union([Type.Array(value, { minItems: 1, maxItems: 10_000 }), Type.Record(Type.String(), value)], {
    description: 'numbers in the order of the channels, or by channel name; null or left out means missing',
  }),
  at: Type.Optional(moment('clock of the sensor')),
  key: Type.Optional(key),
  mode,
}

/** A sample as callers send it. */
export const SensorSample = Type.Object(given, { ...strict, description: 'the readings of all channels at one moment' })

/** A sample as callers of the HTTP API send it: a row of a history may have its true level with it. */
export const GivenSample = Type.Object(
  {
    ...given,
    trueLevel: Type.Optional(
      Type.Union([level, name('level')], {
        description:
          'the true level, by its index or its name, where it is known already, such as in a history; it is learned ' +
          'as a label right after the assessment, before any later sample; needs the right to answer',
      }),
    ),
  },
  { ...strict, description: 'the readings of all channels at one moment, perhaps with the true level' },
)

/** A sample that was checked: its moment is a number. */
export type SensorSample = Omit<Static<typeof SensorSample>, 'at'> & { at?: number }
export type GivenSample = SensorSample & Pick<Static<typeof GivenSample>, 'trueLevel'>

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

const readGiven = reader(SensorSample, 'sample')
const readLabelled = reader(GivenSample, 'sample')

/** Checks a sample that a caller sent. */
export function readSensorSample(value: unknown): SensorSample {
  return withMoment(readGiven(value))
}

/** Checks a sample that a caller sent, perhaps with its true level. */
export function readSample(value: unknown): GivenSample {
  return withMoment(readLabelled(value))
}

function withMoment<T extends { at?: number | string }>({ at, ...rest }: T) {
  return at === undefined ? rest : { ...rest, at: readMoment(at, 'sample/at') }
}
