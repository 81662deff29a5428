import { type Static, Type } from '@sinclair/typebox'
import { AlarmChange } from './alarm.ts'
import { milliseconds, sequence } from './field.ts'

const times = Type.Array(milliseconds('moment'), { description: 'never falling' })

/** A change of an alarm on a chart. */
const ChartAlarm = Type.Object({ time: milliseconds('when'), sequence, ...AlarmChange.properties })

/** How many answers were given around one moment. */
const ChartAnswers = Type.Object({
  time: milliseconds('middle of the moment'),
  right: Type.Integer({ description: 'said that the assessment was right' }),
  wrong: Type.Integer({ description: 'said that it was wrong' }),
  named: Type.Integer({ description: 'named the level' }),
})

/**
 * A stretch of time as charts show it, in columns. Where there are more samples than points, each stretch of `folded`
 * samples becomes two points with the lowest and the highest value of each channel, in the order in which they came.
 */
export const Chart = Type.Object({
  times,
  values: Type.Array(Type.Array(Type.Union([Type.Number(), Type.Null()])), {
    description:
      'one list for each channel, as long as `times`; six significant digits; null before the channel was added; none ' +
      'where only the levels were asked for',
  }),
  levels: Type.Array(Type.Union([Type.Integer(), Type.Null()]), {
    description: 'the worst likely level among the samples of a point; null where the system was untrained',
  }),
  folded: Type.Integer({ description: 'samples read for each pair of points; 1: each point is a sample' }),
  every: Type.Integer({ description: 'one of so many samples was read; 1: all of them' }),
  last: Type.Integer({ ...sequence, description: 'number of the record of the last sample read; 0 without any' }),
  drifts: Type.Array(milliseconds('when'), { description: 'samples read at which a network was refitted' }),
  alarms: Type.Array(ChartAlarm, { description: 'every change of an alarm' }),
  answers: Type.Array(ChartAnswers, { description: 'answers and corrections, counted by moment' }),
  answersEvery: Type.Integer({ description: 'about one of so many answers was read; 1: all of them' }),
})
export type Chart = Static<typeof Chart>
