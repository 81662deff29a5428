import type {
  AlarmKind,
  ClockChange,
  ConfigurationChange,
  GivenAnswer,
  GivenSample,
  SystemEvent,
} from '@pb-oel/protocol'
import { completeValues } from '../fold/complete-sample.ts'
import type { SystemFold } from '../fold/system-fold.ts'

/** What a caller wants to happen to a system, checked at the border. */
export type Input =
  | { kind: 'sample'; given: GivenSample; by: string }
  | { kind: 'answer'; given: GivenAnswer & { level?: number }; by: string }
  | { kind: 'clock'; change: ClockChange }
  | { kind: 'tick'; due: AlarmKind[] }
  | { kind: 'configuration'; change: ConfigurationChange; by: string }
  | { kind: 'acknowledgement'; number: number; about?: 'accuracy' | 'stale'; by: string }

/** The idempotency key of an input, where it has one. */
export function keyOf(input: Input): string | undefined {
  return 'given' in input ? input.given.key : undefined
}

/** Whether an event is what an input of this kind leads to. */
export function isOfKind(kind: Input['kind'], event: SystemEvent): boolean {
  return kind === 'answer' ? event.kind === 'feedback' || event.kind === 'correction' : event.kind === kind
}

/** The event that an input is, given the state: missing values are held, and a second answer is a correction. */
export function eventOf(input: Input, state: SystemFold): SystemEvent {
  switch (input.kind) {
    case 'sample':
      return sampleEvent(input.given, input.by, state)
    case 'answer':
      return answerEvent(input.given, input.by, state)
    case 'clock':
      return { kind: 'clock', body: input.change }
    case 'tick':
      return { kind: 'tick', body: { due: input.due } }
    case 'configuration':
      return { kind: 'configuration', body: { change: input.change, by: input.by } }
    case 'acknowledgement':
      return {
        kind: 'acknowledgement',
        body: { ...(input.about && { about: input.about }), number: input.number, by: input.by },
      }
  }
}

function sampleEvent({ values, at, mode, key }: GivenSample, by: string, state: SystemFold): SystemEvent {
  const body = {
    ...completeValues(state.configuration, values, state.lastValues),
    ...(at !== undefined && { at }),
    ...(mode !== undefined && { mode }),
    ...(key !== undefined && { key }),
    by,
  }
  return { kind: 'sample', body }
}

function answerEvent(given: GivenAnswer & { level?: number }, by: string, state: SystemFold): SystemEvent {
  const { assessment, kind, level, correction = false, at, key } = given
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
