import type { PromisesReport } from '@pb-oel/protocol'

/** Answers that a level still needs before its system is trained. */
export interface MissingAnswers {
  readonly level: number
  readonly answers: number
}

/** What each level that has been told still needs; empty when nothing has been told, or nothing is missing. */
export function answersMissing({
  answersPerLevel,
  answersNeeded,
}: Pick<PromisesReport, 'answersPerLevel' | 'answersNeeded'>): MissingAnswers[] {
  return answersPerLevel
    .map((told, level) => ({ level, answers: told === 0 ? 0 : Math.max(0, answersNeeded - told) }))
    .filter(({ answers }) => answers > 0)
}
