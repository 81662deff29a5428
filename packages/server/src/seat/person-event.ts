import { checkFeedback, UnknownAssessmentError } from '@pb-oel/core'
import type { AssignmentBody, GivenAnswer, GivenComment, SystemEvent, ToldAnswer } from '@pb-oel/protocol'
import { Conflict, NotFound } from '../errors.ts'
import type { RecentAssessment } from '../fold/recent-assessments.ts'
import { compare } from '../fold/second-opinion.ts'
import type { SystemFold } from '../fold/system-fold.ts'

/** The event of a reviewer who cannot tell. */
export function abstentionEvent(
  { assessment, note, at, key }: GivenAnswer,
  by: string,
  state: SystemFold,
): SystemEvent {
  const { answer, abstained = [], second } = kept(assessment, state)
  if (abstained.includes(by)) throw new Conflict(`${by} has said before that they cannot tell assessment ${assessment}`)
  if (answer && (answer.by === by || second !== 'wanted')) {
    throw new Conflict(`assessment ${assessment} has been answered by ${answer.by}`)
  }
  const body = { assessment, ...(note !== undefined && { note }), ...common({ at, key }), by }
  return { kind: 'abstention', body }
}

/** Whether an answer of a person to an assessment is a second opinion. */
export function mayAdd(assessment: number, by: string, { recent }: SystemFold): boolean {
  const found = recent.get(assessment)
  return found?.second === 'wanted' && found.answer?.by !== by
}

/** The event of a second opinion, which says how it compares with the first answer. */
export function secondOpinionEvent(
  { assessment, kind, level, at, key }: ToldAnswer,
  by: string,
  state: SystemFold,
): SystemEvent {
  const { answer, level: assessed } = kept(assessment, state)
  const said = { kind, ...(level !== undefined && { level }) }
  checkFeedback({ ...said } as Parameters<typeof checkFeedback>[0], state.configuration.levels.length)
  const first = answer as NonNullable<RecentAssessment['answer']>
  const body = { assessment, ...said, of: first.by, ...compare(assessed, first, said), ...common({ at, key }), by }
  return { kind: 'second-opinion', body }
}

/** The event of a comment: any assessment that was made may have one, also one that is no longer kept. */
export function commentEvent({ assessment, text, key }: GivenComment, by: string, state: SystemFold): SystemEvent {
  if (assessment >= state.tally.samples) throw new NotFound(`assessment ${assessment} was never made`)
  return { kind: 'comment', body: { assessment, text, ...common({ key }), by } }
}

/** The event of an assignment of a question, or of all questions of the system. */
export function assignmentEvent(body: AssignmentBody, state: SystemFold): SystemEvent {
  const { assessment, to } = body
  const before = assessment === undefined ? state.assignedTo : kept(assessment, state).assignedTo
  if ((before ?? null) === to) {
    const what = assessment === undefined ? `system ${state.id}` : `assessment ${assessment}`
    throw new Conflict(`${what} is assigned to ${to ?? 'nobody'} already`)
  }
  return { kind: 'assignment', body }
}

function kept(assessment: number, { recent }: SystemFold): RecentAssessment {
  const found = recent.get(assessment)
  if (!found) throw new UnknownAssessmentError(assessment, 'never made, or no longer kept')
  return found
}

function common({ at, key }: { at?: number; key?: string }) {
  return { ...(at !== undefined && { at }), ...(key !== undefined && { key }) }
}
