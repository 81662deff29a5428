import type { Assessor, Feedback } from '../assessor.ts'
import { draw } from '../laws/task.ts'
import { Random } from '../math/random.ts'

/** The true answer to an assessment: the label where `full`, else right or wrong. */
export function answer(full: boolean, level: number, truth: number): Feedback {
  if (full) return { kind: 'label', level: truth }
  return level === truth ? { kind: 'confirm' } : { kind: 'reject' }
}

/** Plays rounds of the small task of the laws with immediate answers, `rho` of them labels; returns the accuracy. */
export function play(assessor: Assessor, rounds: number, rho: number, seed = 1): number {
  const random = new Random(seed, 'play')
  let right = 0
  for (let t = 0; t < rounds; t++) {
    const { x, level: truth } = draw(random)
    const full = random.uniform() < rho
    const { id, level } = assessor.assess(x, full ? 'full' : 'partial')
    if (level === truth) right++
    assessor.learn(id, answer(full, level, truth))
  }
  return right / rounds
}
