import { describe, expect, it } from 'vitest'
import { Random } from '../math/random.ts'
import { answer } from '../testing/play.ts'
import { logOdds, scriptedPbOel } from '../testing/scripted.ts'
import { standardRegret } from './bounds.ts'

/** What Theorem 1 says, asked of PB-OEL itself: experts are scripted, everything else is the real thing. */
const LEVELS = 3

describe('the reward estimate of PB-OEL', () => {
  it('is unbiased under right-or-wrong answers: z-test at 5 standard errors (error rate below 1e-5)', () => {
    const experts = 4
    const rounds = 20_000
    const assessor = scriptedPbOel(experts, LEVELS, { c: 1, restarts: false, horizon: rounds, rho: 0 })
    const random = new Random(11, 'unbiased')
    const rate = assessor.gamma / LEVELS
    const error = new Float64Array(experts)
    const variance = new Float64Array(experts)
    for (let t = 0; t < rounds; t++) {
      const votes = Float64Array.from({ length: experts }, () => random.integer(LEVELS))
      const truth = random.integer(LEVELS)
      const before = logOdds(assessor)
      const { id, level, probabilities } = assessor.assess(votes, 'partial')
      const p = probabilities[truth]
      assessor.learn(id, answer(false, level, truth))
      const after = logOdds(assessor)
      for (let n = 1; n < experts; n++) {
        // ξ_n^y − ξ_0^y; its estimate is what the log-odds moved by, in units of γ/K.
        const exact = Number(votes[n] === truth) - Number(votes[0] === truth)
        error[n] += (after[n] - before[n]) / rate - exact
        variance[n] += exact * exact * (1 / p - 1)
      }
    }
    for (let n = 1; n < experts; n++) {
      expect(variance[n]).toBeGreaterThan(rounds / 10)
      expect(Math.abs(error[n])).toBeLessThan(5 * Math.sqrt(variance[n]))
    }
  })

  it('is the reward itself where the label is given', () => {
    const assessor = scriptedPbOel(3, LEVELS, { c: 1, restarts: false, horizon: 500, rho: 1 })
    const { id } = assessor.assess(Float64Array.of(0, 1, 2), 'full')
    assessor.learn(id, { kind: 'label', level: 2 })
    const [, second, third] = logOdds(assessor)
    expect(second).toBeCloseTo(0, 12)
    expect(third).toBeCloseTo(assessor.gamma / LEVELS, 12)
  })
})

describe('Theorem 1 by simulation', () => {
  const experts = 6
  const horizon = 2000
  const seeds = 24

  it.each([0, 0.1, 0.5, 1])('the mean accuracy of PB-OEL over 24 seeds is above the bound, ρ = %f', (rho) => {
    for (const [stream, switches] of [
      ['steady', false],
      ['the best expert changes', true],
    ] as const) {
      const world = new Random(17, stream)
      const truths = Array.from({ length: horizon }, () => world.integer(LEVELS))
      // The stream and what the experts say are fixed; only the actions and the feedback mode are drawn per seed.
      const votes = truths.map((truth, t) =>
        Float64Array.from({ length: experts }, (_, n) => {
          const rank = switches && t > horizon / 2 ? experts - 1 - n : n
          return world.uniform() < 0.35 + 0.1 * rank ? truth : world.integer(LEVELS)
        }),
      )
      const right = (n: number) => votes.filter((vote, t) => vote[n] === truths[t]).length / horizon
      const best = Math.max(...Array.from({ length: experts }, (_, n) => right(n)))
      const bound = best - standardRegret({ levels: LEVELS, experts, rho }, horizon)
      let sum = 0
      for (let seed = 0; seed < seeds; seed++) sum += play(votes, truths, rho, seed)
      expect(sum / seeds / horizon).toBeGreaterThanOrEqual(bound)
      // The bound says something: the worst expert alone lies below it.
      if (!switches) expect(right(0)).toBeLessThan(bound)
    }
  })

  function play(votes: readonly Float64Array[], truths: readonly number[], rho: number, seed: number): number {
    const random = new Random(seed, 'play')
    const assessor = scriptedPbOel(experts, LEVELS, { seed, c: 1, restarts: false, horizon, rho, pending: 1 })
    let right = 0
    truths.forEach((truth, t) => {
      const full = random.uniform() < rho
      const { id, level } = assessor.assess(votes[t], full ? 'full' : 'partial')
      if (level === truth) right++
      assessor.learn(id, answer(full, level, truth))
    })
    expect(assessor.guarantee().applies).toBe(true)
    return right
  }
})
