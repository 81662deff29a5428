import type { Answer, AssessedSample, Assessment, AssessmentBody, Sample } from '@pb-oel/protocol'
import { mostProbable } from '../fold/most-probable.ts'
import { defineView } from './view.ts'

/** Where and when a sample was recorded. */
export interface Recorded {
  sequence: number
  time: number
}

/** A sample with its assessment, complete with what follows from the configuration. */
export function assessedSample(
  levels: readonly string[],
  { sequence, time }: Recorded,
  sample: Sample,
  body: AssessmentBody,
): AssessedSample {
  return {
    ...body,
    levelName: levels[body.level],
    likely: mostProbable(body.probabilities),
    trained: body.trained ?? true,
    ...sample,
    ...{ sequence, time },
  }
}

/** The assessment alone. */
export function assessmentOf<T extends AssessedSample>(
  assessed: T,
): Omit<T, 'values' | 'at' | 'mode' | 'key' | 'by'> & Assessment {
  const { values: _values, at: _at, mode: _mode, key: _key, by: _by, ...assessment } = assessed
  return assessment
}

/** The answers that count, by assessment, as far as they are kept. */
export const keptAnswers = defineView('kept answers', ({ recent }): Map<number, Answer> => {
  const kept = new Map<number, Answer>()
  for (const { assessment, answer } of recent.list()) if (answer) kept.set(assessment, answerOf(answer))
  return kept
})

function answerOf({ kind, level, by }: Answer): Answer {
  return { kind, ...(level !== undefined && { level }), by }
}
