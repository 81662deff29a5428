import { UnknownAssessmentError } from '@pb-oel/core'
import type { SystemEvent } from '@pb-oel/protocol'
import type { RecentAssessment, RecentAssessments } from './recent-assessments.ts'
import type { ReviewerBook } from './reviewer-book.ts'
import type { Tally } from './tally.ts'

/** What people say that teaches the model nothing. */
type PersonEvent = Extract<SystemEvent, { kind: 'abstention' | 'second-opinion' | 'comment' | 'assignment' }>

/** The part of a system's state that they change. */
interface Told {
  readonly recent: RecentAssessments
  readonly tally: Tally
  readonly reviewers: ReviewerBook
  assignedTo: string | undefined
}

/** Notes what a person says that teaches the model nothing. */
export function hearPerson(state: Told, { kind, body }: PersonEvent): void {
  if (kind === 'comment') return
  if (kind === 'assignment' && body.assessment === undefined) {
    state.assignedTo = body.to ?? undefined
    return
  }
  const { tally } = state
  const recent = spokenOf(state.recent, body.assessment as number)
  if (kind === 'assignment') {
    if (body.to === null) delete recent.assignedTo
    else recent.assignedTo = body.to
  } else if (kind === 'abstention') {
    recent.abstained = [...(recent.abstained ?? []), body.by]
    tally.abstentions = (tally.abstentions ?? 0) + 1
  } else {
    recent.second = { by: body.by }
    tally.secondOpinions = (tally.secondOpinions ?? 0) + 1
    state.reviewers.count(body)
  }
}

/** The assessment that a person speaks of. */
export function spokenOf(recent: RecentAssessments, assessment: number): RecentAssessment {
  const found = recent.get(assessment)
  if (!found) throw new UnknownAssessmentError(assessment, 'never made, or no longer kept')
  return found
}
