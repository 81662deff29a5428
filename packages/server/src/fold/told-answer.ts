import { type Feedback as CoreFeedback, checkFeedback, RepeatedFeedbackError } from '@pb-oel/core'
import type { RecentAssessment } from './recent-assessments.ts'

/**
 * What the model is told when a person answers about the level that was shown; `undefined`: nothing. Where the model
 * forgot samples it may have drawn another level since. A confirmed level is then the true one. The rejection of one of
 * three or more levels says nothing about another.
 */
export function toldAnswer(recent: RecentAssessment, feedback: CoreFeedback, levels: number): CoreFeedback | undefined {
  const { assessment, answer, redrawn, level: shown } = recent
  if (answer && feedback.correction !== true) throw new RepeatedFeedbackError(assessment)
  checkFeedback(feedback, levels)
  if (redrawn === undefined || feedback.kind === 'label') return feedback
  const { kind, ...rest } = feedback
  if (kind === 'confirm') return { ...rest, kind: 'label', level: shown }
  return levels === 2 ? { ...rest, kind: 'label', level: redrawn } : undefined
}
