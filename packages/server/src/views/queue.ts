import type { AssessmentBody, Claim, Question, Sample } from '@pb-oel/protocol'
import { Conflict, NotFound } from '../errors.ts'
import { bodyOf, type RankedQuestion, type RecentAssessment } from '../fold/recent-assessments.ts'
import { assessedSample, type Recorded } from './assessed-sample.ts'
import { defineView } from './view.ts'

/** A question without its sample, which the log has. */
export interface OpenQuestion extends Pick<RankedQuestion, 'worth' | 'reasons'> {
  place: Recorded
  body: AssessmentBody
  /** What people have said of it so far, and who shall answer. */
  said: Pick<Question, 'second' | 'cannotTell' | 'assignedTo'>
}

/** Whose questions are wanted. */
export interface Asker {
  /** Who asks for questions: nobody is asked again what they could not tell, or for a second opinion on themselves. */
  by: string
  /** `mine`: those assigned to this person; `free`: also those of nobody; `all`: also those of others. */
  whose: 'mine' | 'free' | 'all'
}

/** The questions for a person that are worth most, without those left out, and how many there are in all. */
export const openQuestions = defineView(
  'open questions',
  ({ recent, configuration, assignedTo }, limit: number, leftOut: readonly number[], asker: Asker) => {
    const ranked = recent.ranked(configuration.queue, configuration.levels.length)
    const { samples = recent.capacity } = configuration.late ?? {}
    const oldest = (recent.latest?.assessment ?? 0) - samples
    const mine = ranked.filter(({ recent: one }) => one.assessment > oldest && isFor(one, asker, assignedTo))
    const questions = mine.filter(({ recent: { assessment } }) => !leftOut.includes(assessment)).slice(0, limit)
    return { open: mine.length, questions: questions.map((question) => openQuestion(question, assignedTo)) }
  },
)

/** Number of the record of the oldest open question; `undefined` when there is none. */
export const oldestOpen = defineView('oldest open question', ({ recent }) => recent.oldestOpen?.sequence)

/** Whether a question is one for a person. */
function isFor(recent: RecentAssessment, { by, whose }: Asker, ofSystem: string | undefined): boolean {
  if (recent.abstained?.includes(by) || recent.answer?.by === by) return false
  const assigned = recent.assignedTo ?? ofSystem
  return whose === 'all' || assigned === by || (whose === 'free' && assigned === undefined)
}

function openQuestion({ recent, worth, reasons }: RankedQuestion, ofSystem: string | undefined): OpenQuestion {
  const { sequence, time, abstained, answer, assignedTo = ofSystem } = recent
  const said = {
    ...(answer && { second: true }),
    ...(abstained && { cannotTell: abstained.length }),
    ...(assignedTo !== undefined && { assignedTo }),
  }
  return { ...{ worth, reasons, said }, place: { sequence, time }, body: bodyOf(recent) }
}

/** A question as reviewers see it: why it is worth an answer, who has claimed it, what the sensors showed. */
export function questionView(
  levels: readonly string[],
  { place, body, worth, reasons, said }: OpenQuestion,
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
    ...said,
  }
}

/** Throws unless the assessment is kept and this person may still be asked about it. */
export const mustBeOpen = defineView('must be open', ({ recent }, assessment: number, by: string): void => {
  const found = recent.get(assessment)
  if (!found) throw new NotFound(`assessment ${assessment} was never made, or is no longer kept`)
  if (found.abstained?.includes(by)) throw new Conflict(`${by} has said that they cannot tell assessment ${assessment}`)
  if (found.second === 'wanted' && found.answer?.by !== by) return
  if (found.answer) throw new Conflict(`assessment ${assessment} has been answered by ${found.answer.by}`)
})
