import { type Static, Type } from '@sinclair/typebox'
import { milliseconds } from './field.ts'

const jump = Type.Integer({ description: 'milliseconds by which the wall clock jumped; negative: back; 0: it did not' })
const followed = Type.Boolean({
  description: 'whether the times follow the jump from here on; they do once it has lasted 10 s',
})

/** What happened to the clock of a server, as the log of a system holds it. */
export const ClockChange = Type.Object({
  jump,
  followed,
  until: milliseconds('the time this record would have without the change: durations count up to it'),
  pace: Type.Integer({
    description:
      'milliseconds of the monotonic clock for each of the times of records from here on: 1, or 2 while they wait ' +
      'for a wall clock that was set back',
  }),
  ahead: Type.Integer({ minimum: 0, description: 'milliseconds by which the times of records are ahead of the clock' }),
})
export type ClockChange = Static<typeof ClockChange>

/** The clock of a server. */
export const ServerTime = Type.Object({
  now: milliseconds("the server's time: the wall clock, carried on by the monotonic clock"),
  offset: Type.Integer({ description: 'milliseconds by which the wall clock is ahead of it at this moment' }),
  jumps: Type.Integer({ description: 'jumps of the wall clock since the start' }),
  latest: Type.Optional(
    Type.Object({ jump, followed, time: milliseconds("the server's time then") }, { description: 'the latest jump' }),
  ),
})
export type ServerTime = Static<typeof ServerTime>
