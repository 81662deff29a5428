import { type Static, Type } from '@sinclair/typebox'
import { assessmentNumber, by, key, level, milliseconds, moment, name, sequence, strict } from './field.ts'
import { readMoment } from './moment.ts'
import { InvalidShape, reader } from './reader.ts'
import { word } from './word.ts'

const kind = word(
  ['confirm', 'reject', 'label'],
  'of every sample in it: the most probable level was right, was wrong, or the true level itself',
)
const range = {
  from: Type.Integer({ ...assessmentNumber, description: 'assessment of the first sample' }),
  to: Type.Integer({ ...assessmentNumber, description: 'assessment of the last sample' }),
}

/** An answer about a stretch of time, as callers send it. */
export const GivenStretch = Type.Object(
  {
    from: moment('arrival of its samples at or after'),
    to: moment('arrival of its samples at or before'),
    kind,
    level: Type.Optional(
      Type.Union([level, name('level')], { description: 'the true level, by its index or its name; with `label`' }),
    ),
    note: Type.Optional(name('what the reviewer wants others to know')),
    key: Type.Optional(key),
    by: Type.Optional(name('who; counts only on a server without tokens')),
  },
  { ...strict, description: 'what a reviewer says of all samples of a stretch of time, in one answer' },
)
/** An answer about a stretch that was checked: its moments are numbers. */
export type GivenStretch = Omit<Static<typeof GivenStretch>, 'from' | 'to'> & { from: number; to: number }

/** An answer about a stretch as the log holds it. Samples that were answered one by one keep their answers. */
export const StretchBody = Type.Object({
  ...range,
  kind,
  level: Type.Optional(Type.Integer({ ...level, description: 'the true level; with `label`' })),
  answered: Type.Integer({ description: 'samples that it answers' }),
  note: Type.Optional(Type.String()),
  key: Type.Optional(key),
  by,
})
export type StretchBody = Static<typeof StretchBody>

/** Says that a stretch is on disk and learned. */
export const Stretch = Type.Object({
  ...StretchBody.properties,
  sequence,
  time: milliseconds('arrival'),
  repeated: Type.Optional(Type.Boolean({ description: 'the key was used before; this is the first receipt' })),
})
export type Stretch = Static<typeof Stretch>

/** A stretch that was taken back, as the log holds it: the model is made anew without it. */
export const WithdrawalBody = Type.Object({
  stretch: Type.Integer({ ...sequence, description: 'number of the record of the stretch' }),
  answered: Type.Integer({ description: 'answers that were taken back' }),
  by,
})
export type WithdrawalBody = Static<typeof WithdrawalBody>

/** Says that a stretch was taken back. */
export const Withdrawal = Type.Object({ ...WithdrawalBody.properties, sequence, time: milliseconds('arrival') })
export type Withdrawal = Static<typeof Withdrawal>

const readGiven = reader(GivenStretch, 'stretch')

/** Checks an answer about a stretch that a caller sent. */
export function readStretch(value: unknown): GivenStretch {
  const stretch = readGiven(value)
  if ((stretch.kind === 'label') !== (stretch.level !== undefined)) {
    throw new InvalidShape('stretch', '/level', 'a level belongs to the kind label, and to no other')
  }
  const [from, to] = [readMoment(stretch.from, 'stretch/from'), readMoment(stretch.to, 'stretch/to')]
  if (to < from) throw new InvalidShape('stretch', '/to', 'a stretch ends after it begins')
  return { ...stretch, from, to }
}
