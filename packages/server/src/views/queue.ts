import type { AssessmentBody, Claim, Question, Sample } from '@pb-oel/protocol'
import { Conflict, NotFound } from '../errors.ts'
import { bodyOf, type RankedQuestion } from '../fold/recent-assessments.ts'
import { assessedSample, type Recorded } from './assessed-sample.ts'
import { defineView } from './view.ts'

/** A question without its sample, which the log has. */
export interface OpenQuestion extends Pick<RankedQuestion, 'worth' | 'reasons'> {
  place: Recorded
  body: AssessmentBody
}

/** The open questions that are worth most, without those of the assessments left out, and how many there are in all. */
export const openQuestions = defineView(
  'open questions',
  ({ recent, configuration }, limit: number, leftOut: readonly number[]) => {
    const ranked = recent.ranked(configuration.queue, configuration.levels.length)
    const { samples = recent.capacity } = configuration.late ?? {}
    const oldest = (recent.latest?.assessment ?? 0) - samples
    const questions = ranked
      .filter(({ recent: { assessment } }) => assessment > oldest && !leftOut.includes(assessment))
      .slice(0, limit)
    return { open: recent.open, questions: questions.map(openQuestion) }
  },
)

/** Number of the record of the oldest open question; `undefined` when there is none. */
export const oldestOpen = defineView('oldest open question', ({ recent }) => recent.oldestOpen?.sequence)

function openQuestion({ recent, worth, reasons }: RankedQuestion): OpenQuestion {
  const { sequence, time } = recent
  return { ...{ worth, reasons }, place: { sequence, time }, body: bodyOf(recent) }
}

/** A question as reviewers see it: why it is worth an answer, who has claimed it, what the sensors showed. */
export function questionView(
  levels: readonly string[],
  { place, body, worth, reasons }: OpenQuestion,
  sample: Sample,
  claim: Claim | undefined,
  now: number,
): Question {
  return {
    ...assessedSample(levels, place, sample, body),
    ...{ worth, reasons },
    votes: levels.map((_, level) => body.experts.filter((vote) => vote === level).length),
    age: Math.max(0, now - place.time) / 1000,
    ...(claim && { claim }),
  }
}

/** Throws unless the assessment is kept and nobody has answered it. */
export const mustBeOpen = defineView('must be open', ({ recent }, assessment: number): void => {
  const found = recent.get(assessment)
  if (!found) throw new NotFound(`assessment ${assessment} was never made, or is no longer kept`)
  if (found.answer) throw new Conflict(`assessment ${assessment} has been answered by ${found.answer.by}`)
})
