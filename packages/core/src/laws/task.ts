import { type Assessment, type Assessor, copyAssessment } from '../assessor.ts'
import { Random } from '../math/random.ts'

/** The small task that the laws are checked on. */
export const CHANNELS = 4
export const LEVELS = 3
/** Answers later than this many samples never come; assessors must keep more pending assessments than that. */
export const MAX_DELAY = 100

const MODES = ['full', 'partial', 'unknown'] as const

/** A sample of the task: noisy, with overlapping levels. */
export function draw(random: Random, levels = LEVELS): { x: Float64Array; level: number } {
  const level = random.integer(levels)
  const x = Float64Array.from({ length: CHANNELS }, (_, i) => (i === level ? 1.5 : 0) + random.normal())
  return { x, level }
}

/**
 * Plays rounds with late, missing and out-of-order feedback of every kind and returns what was assessed.
 *
 * @param first id of the first assessment of this call
 */
export function playRounds(assessor: Assessor, rounds: number, seed: number, first = 0): Assessment[] {
  const random = new Random(seed, `run ${first}`)
  const open: { id: number; level: number; truth: number }[] = []
  const said: Assessment[] = []
  for (let t = 0; t < rounds; t++) {
    const { x, level: truth } = draw(random, assessor.levels)
    const assessment = assessor.assess(x, MODES[random.integer(3)])
    said.push(copyAssessment(assessment))
    open.push({ id: assessment.id, level: assessment.level, truth })
    while (open[0].id < assessment.id - MAX_DELAY) open.shift()
    if (random.uniform() < 0.1) continue
    const [answer] = open.splice(random.uniform() < 0.8 ? open.length - 1 : random.integer(open.length), 1)
    const right = answer.level === answer.truth
    if (random.uniform() < 0.3) assessor.learn(answer.id, { kind: 'label', level: answer.truth })
    else assessor.learn(answer.id, right ? { kind: 'confirm' } : { kind: 'reject' })
  }
  return said
}
