import { Random } from '@pb-oel/core'
import type { Answer, Configuration, SecondOpinionBody } from '@pb-oel/protocol'

/** Whether a second person is asked about an answered assessment: by the system's own coin, so that it replays. */
export function isChosen({ review, seed }: Configuration, assessment: number): boolean {
  return review !== undefined && coin(seed, 'second opinion', assessment) < review.secondOpinion
}

/** The coin of an assessment. */
export function coin(seed: number, name: string, assessment: number): number {
  const random = new Random(seed, name)
  random.position = assessment
  return random.uniform()
}

/** Compares two answers about an assessed level: by the level where both name one, otherwise by right or wrong. */
export function compare(
  assessed: number,
  first: Pick<Answer, 'kind' | 'level'>,
  second: Pick<Answer, 'kind' | 'level'>,
): Pick<SecondOpinionBody, 'compared' | 'agrees'> {
  if (first.kind === 'label' && second.kind === 'label') {
    return { compared: 'level', agrees: first.level === second.level }
  }
  const right = ({ kind, level }: Pick<Answer, 'kind' | 'level'>) => kind === 'confirm' || level === assessed
  return { compared: 'verdict', agrees: right(first) === right(second) }
}
