import { FeedbackError } from '@pb-oel/core'
import type {
  AddedChannel,
  AddedLevel,
  AssessmentBody,
  AssignmentBody,
  ClockChange,
  ConfigurationChange,
  GivenAnswer,
  GivenChange,
  GivenComment,
  GivenStretch,
  RecordBodies,
  SensorSample,
  SystemEvent,
  ToldAnswer,
} from '@pb-oel/protocol'
import { Conflict, NotFound } from '../errors.ts'
import { completeValues } from '../fold/complete-sample.ts'
import { excludedBefore } from '../fold/excluded.ts'
import { indexedAlarm, indexedRules } from '../fold/level-index.ts'
import type { SystemFold } from '../fold/system-fold.ts'
import { checkInTime } from './late-answer.ts'
import { abstentionEvent, assignmentEvent, commentEvent, mayAdd, secondOpinionEvent } from './person-event.ts'
import { stretchEvent, withdrawalEvent } from './stretch-event.ts'

/** What a caller wants to happen to a system, checked at the border. */
export type Input =
  | { kind: 'sample'; given: SensorSample; trueLevel?: number; by: string }
  | { kind: 'answer'; given: GivenAnswer & { level?: number }; by: string }
  | { kind: 'clock'; change: ClockChange }
  | { kind: 'tick'; due: string[] }
  | { kind: 'configuration'; change: GivenChange; by: string }
  | { kind: 'channel'; channel: AddedChannel }
  | { kind: 'level'; level: AddedLevel }
  | { kind: 'exclusion'; from: number; to: number | undefined; first: number; why: string; by: string }
  | { kind: 'stretch'; given: GivenStretch & { level?: number }; by: string }
  | { kind: 'withdrawal'; stretch: number; by: string }
  | { kind: 'comment'; given: GivenComment; by: string }
  | { kind: 'assignment'; body: AssignmentBody }
  | { kind: 'acknowledgement'; body: RecordBodies['acknowledgement'] }
  | { kind: 'alarm-action'; body: RecordBodies['alarm-action'] }

/** The idempotency key of an input, where it has one. */
export function keyOf(input: Input): string | undefined {
  return 'given' in input ? input.given.key : undefined
}

const ANSWERS: readonly string[] = ['feedback', 'correction', 'abstention', 'second-opinion']

/** Whether an event is what an input of this kind leads to. */
export function isOfKind(kind: Input['kind'], event: SystemEvent): boolean {
  return kind === 'answer' ? ANSWERS.includes(event.kind) : event.kind === kind
}

/** The event that an input is, given the state: missing values are held, and a second answer is a correction. */
export function eventOf(input: Input, state: SystemFold, time: number): SystemEvent {
  checkArchived(input, state)
  switch (input.kind) {
    case 'sample':
      checkLevel(input.trueLevel, state)
      return sampleEvent(input.given, input.by, state)
    case 'answer':
      checkInTime(input.given.assessment, state, time)
      return answerEvent(input.given, input.by, state)
    case 'clock':
      return { kind: 'clock', body: input.change }
    case 'tick':
      return { kind: 'tick', body: { due: input.due } }
    case 'configuration':
      return { kind: 'configuration', body: { change: indexed(input.change, state), by: input.by } }
    case 'channel':
      return { kind: 'channel', body: input.channel }
    case 'level':
      return { kind: 'level', body: input.level }
    case 'exclusion':
      return exclusionEvent(input, state)
    case 'stretch':
      return stretchEvent(input.given, input.by, state, time)
    case 'withdrawal':
      return withdrawalEvent(input.stretch, input.by, state)
    case 'comment':
      return commentEvent(input.given, input.by, state)
    case 'assignment':
      return assignmentEvent(input.body, state)
    case 'acknowledgement':
    case 'alarm-action':
      return input
  }
}

/** The answer that comes with a sample whose true level is known. */
export function labelEvent(input: Input, sample: readonly SystemEvent[]): SystemEvent | undefined {
  if (input.kind !== 'sample' || input.trueLevel === undefined) return undefined
  const { given, trueLevel, by } = input
  const { assessment } = sample[1].body as AssessmentBody
  const at = given.at === undefined ? {} : { at: given.at }
  return { kind: 'feedback', body: { assessment, kind: 'label', level: trueLevel, ...at, by } }
}

/** A change with indices of levels. It may name them as it renames them itself. */
function indexed({ alarm, alarms, ...change }: GivenChange, { configuration }: SystemFold): ConfigurationChange {
  const levels = change.levels ?? configuration.levels
  return {
    ...change,
    ...(alarm && { alarm: indexedAlarm(alarm, levels) }),
    ...(alarms && { alarms: indexedRules(alarms, levels) }),
  }
}

/** Refuses everything for an archived system but that it be restored, and to archive one that calls for a person. */
function checkArchived(input: Input, { id, configuration, alarms }: SystemFold): void {
  const wanted = input.kind === 'configuration' ? input.change.archived : undefined
  // The clock is nobody's wish, and must be known when the system goes on.
  if (configuration.archived && wanted !== false && input.kind !== 'clock') {
    throw new Conflict(`system ${id} is archived: it is only read until it is restored ("archived": false)`)
  }
  const alarm = alarms.state('level')
  if (wanted && alarm.status === 'active') {
    throw new Conflict(`alarm ${alarm.number} of system ${id} is active: acknowledge it before the system is archived`)
  }
}

/** Refuses a level that there is not, before anything of its sample is taken. */
function checkLevel(level: number | undefined, { configuration: { levels } }: SystemFold): void {
  if (level === undefined || level < levels.length) return
  throw new FeedbackError('trueLevel', level, `an integer in [0, ${levels.length - 1}], or a name of a level`)
}

function sampleEvent({ values, at, mode, key }: SensorSample, by: string, state: SystemFold): SystemEvent {
  const body = {
    ...completeValues(state.configuration, values, state.lastValues, state.model.stuck),
    ...(at !== undefined && { at }),
    ...(mode !== undefined && { mode }),
    ...(key !== undefined && { key }),
    by,
  }
  return { kind: 'sample', body }
}

function answerEvent(given: GivenAnswer & { level?: number }, by: string, state: SystemFold): SystemEvent {
  if (given.kind === 'cannot-tell') return abstentionEvent(given, by, state)
  const { correction = false } = given
  const told = given as ToldAnswer
  if (!correction && mayAdd(told.assessment, by, state)) return secondOpinionEvent(told, by, state)
  const { assessment, kind, level, at, key } = told
  const answered = state.recent.get(assessment)?.answer !== undefined
  const body = {
    ...{ assessment, kind },
    ...(level !== undefined && { level }),
    ...(at !== undefined && { at }),
    ...(key !== undefined && { key }),
    by,
  }
  return { kind: correction && answered ? 'correction' : 'feedback', body }
}

/** The latest sample counts as the last where the input names none. */
function exclusionEvent(input: Extract<Input, { kind: 'exclusion' }>, state: SystemFold): SystemEvent {
  const latest = state.recent.latest?.assessment ?? -1
  const { from, to = latest, first, why, by } = input
  if (from < state.model.firstAssessment) {
    throw new Conflict(
      `assessment ${from} is from before a channel was added; ` +
        `the model began anew then, and has seen nothing before assessment ${state.model.firstAssessment}`,
    )
  }
  if (to > latest) throw new NotFound(`there is no assessment ${to}; the latest is ${latest}`)
  const known = excludedBefore(state.model.excluded, to + 1) - excludedBefore(state.model.excluded, from)
  if (known > to - from) throw new Conflict(`assessments ${from} to ${to} are excluded already`)
  return { kind: 'exclusion', body: { from, to, first, why, by } }
}
