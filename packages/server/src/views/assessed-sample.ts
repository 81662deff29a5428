import type { Answer, AssessedSample, Assessment, AssessmentBody, Sample } from '@pb-oel/protocol'
import { mostProbable } from '../fold/system-fold.ts'
import type { View } from './view.ts'

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

/** The answers that count for some assessments, as far as they are kept. */
export const answersTo =
  (assessments: readonly number[]): View<Map<number, Answer>> =>
  ({ recent }) => {
    const found = new Map<number, Answer>()
    for (const assessment of assessments) {
      const answer = recent.get(assessment)?.answer
      if (answer) found.set(assessment, answerOf(answer))
    }
    return found
  }

function answerOf({ kind, level, by }: Answer): Answer {
  return { kind, ...(level !== undefined && { level }), by }
}
