import type { AnswerReceipt, AssessedSample, AssessmentBody, Feedback, Sample } from '@pb-oel/protocol'
import { assessedSample } from '../views/assessed-sample.ts'
import type { Receipt } from './live-system.ts'

/** What a client is told of a sample that is on disk. */
export function sampleReceipt(levels: readonly string[], receipt: Receipt): AssessedSample & { repeated?: true } {
  const [sample, assessment] = receipt.events.map(({ body }) => body) as [Sample, AssessmentBody]
  const assessed = assessedSample(levels, receipt, sample, assessment)
  return receipt.repeated ? { ...assessed, repeated: true } : assessed
}

/** What a client is told of an answer that is on disk. */
export function answerReceipt({ sequence, time, events: [event], repeated, effect }: Receipt): AnswerReceipt {
  const { assessment } = event.body as { assessment: number }
  const kind = event.kind === 'abstention' ? 'cannot-tell' : (event.body as Feedback).kind
  return {
    ...{ assessment, kind },
    ...(event.kind === 'correction' && { correction: true }),
    ...(event.kind === 'second-opinion' && { second: true }),
    ...{ sequence, time },
    ...(repeated && { repeated }),
    ...(effect && { effect }),
  }
}
