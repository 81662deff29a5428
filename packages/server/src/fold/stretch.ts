import type { Answer, AssessmentBody, StretchBody } from '@pb-oel/protocol'
import { mostProbable } from './most-probable.ts'
import type { RecentAssessment, RecentAssessments } from './recent-assessments.ts'

/** What a stretch says of its samples. */
type Said = Pick<StretchBody, 'kind' | 'level'>

/**
 * What a stretch says of one assessment. People judge the most probable levels, which the timeline shows. Where a level
 * was drawn to learn, "right" names the most probable one instead, and "wrong" says nothing of the drawn one.
 */
export function answerWithin(
  { level: assessed, probabilities }: Pick<AssessmentBody, 'level' | 'probabilities'>,
  { kind, level }: Said,
): Pick<Answer, 'kind' | 'level'> | undefined {
  if (kind === 'label') return { kind, level }
  const likely = mostProbable(probabilities)
  if (likely === assessed) return { kind }
  return kind === 'confirm' ? { kind: 'label', level: likely } : undefined
}

/** The assessments that a stretch answers, in order. Those that were answered one by one keep their answers. */
export function answeredBy(
  recent: RecentAssessments,
  { from, to, ...said }: Said & Pick<StretchBody, 'from' | 'to'>,
): { about: RecentAssessment; answer: Pick<Answer, 'kind' | 'level'> }[] {
  return recent.between(from, to).flatMap((about) => {
    const answer = about.answer || about.excluded ? undefined : answerWithin(about, said)
    return answer ? [{ about, answer }] : []
  })
}
