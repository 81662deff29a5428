import { type Static, Type } from '@sinclair/typebox'
import { AlarmMessage, ListedAlarm } from './alarm.ts'
import { RuleName } from './alarm-setting.ts'
import { SystemId } from './configuration.ts'
import { milliseconds } from './field.ts'

const whose = { system: SystemId, title: Type.String({ description: 'name of the system for people' }) }

/** An alarm of one of many systems. */
export const AlarmOfSystem = Type.Object({ ...whose, levelName: Type.String(), ...ListedAlarm.properties })
export type AlarmOfSystem = Static<typeof AlarmOfSystem>

/** How often an alarm was raised. */
const Counted = Type.Object({
  ...whose,
  about: RuleName,
  count: Type.Integer({ description: 'how often it was raised' }),
})

/** How many alarms people have to bear, by the figures of ISA-18.2 (section 16). Hidden alarms do not count. */
export const FloodFigures = Type.Object({
  lastTenMinutes: Type.Integer({ description: 'alarms raised in the latest ten minutes' }),
  flood: Type.Boolean({ description: 'true: more than ten in ten minutes, which one person cannot handle' }),
  lastDay: Type.Integer({ description: 'alarms raised in the latest 24 hours' }),
  mostInTenMinutes: Type.Integer({ description: 'most in any ten minutes of the latest 24 hours' }),
  standing: Type.Integer({ description: 'alarms that last now' }),
  longestStanding: Type.Optional(
    Type.Object({ ...whose, about: RuleName, seconds: Type.Number({ description: 'how long it has lasted' }) }),
  ),
  chattering: Type.Array(Counted, {
    description: 'alarms that were raised three times or more within one minute of the latest hour',
  }),
  mostFrequent: Type.Array(Counted, { description: 'at most ten, of the latest 24 hours' }),
})
export type FloodFigures = Static<typeof FloodFigures>

/** The alarms of all systems that a caller may see, most urgent first. */
export const AlarmList = Type.Object({
  alarms: Type.Array(AlarmOfSystem),
  figures: FloodFigures,
  now: milliseconds("the server's time"),
})
export type AlarmList = Static<typeof AlarmList>

/** Changes of alarms of all systems that a caller may see, latest first. */
export const AlarmHistory = Type.Object({
  changes: Type.Array(AlarmMessage),
  next: Type.Optional(milliseconds('the `to` of the next page')),
})
export type AlarmHistory = Static<typeof AlarmHistory>
