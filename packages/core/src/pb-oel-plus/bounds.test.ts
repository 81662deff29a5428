import { describe, expect, it } from 'vitest'
import { zeroOneCosts } from '../decision/cost-matrix.ts'
import { drawLevel, mixAdvice } from '../experts/mixture.ts'
import { Random } from '../math/random.ts'
import { explorationRate, standardRegret } from '../pb-oel/bounds.ts'
import { ExpertWeights } from '../pb-oel/expert-weights.ts'
import { lossRate, lossRegret, lossVarianceFactor } from './bounds.ts'
import { LossEstimator } from './loss-estimator.ts'
import { LossWeights } from './loss-weights.ts'

describe('the numbers of the specification', () => {
  it('B⁺ for K = 3', () => {
    expect(lossVarianceFactor(0, 3)).toBe(1)
    expect(lossVarianceFactor(1, 3)).toBe(0.125)
    expect(lossVarianceFactor(0.2, 3)).toBeCloseTo(0.825, 12)
  })

  it('K = 3, N = 6, T = 2000, ρ = 0.2: 109 rounds of regret, the paper 244', () => {
    const setting = { levels: 3, experts: 6, rho: 0.2 }
    expect(2000 * lossRegret(setting, 2000)).toBeCloseTo(2 * Math.sqrt(2000 * Math.log(6) * 0.825), 9)
    expect(Math.round(2000 * lossRegret(setting, 2000))).toBe(109)
    expect(Math.round(2000 * standardRegret(setting, 2000))).toBe(244)
  })

  it('is 2.27 times tighter than the paper’s for K = 3 and ρ = 0, and tighter for every K and ρ', () => {
    const ratio = (levels: number, rho: number) =>
      standardRegret({ levels, experts: 10, rho }, 1000) / lossRegret({ levels, experts: 10, rho }, 1000)
    expect(ratio(3, 0)).toBeCloseTo(Math.sqrt(3 * (Math.E - 1)), 9)
    for (const levels of [2, 3, 5, 20]) for (const rho of [0, 0.3, 0.9]) expect(ratio(levels, rho)).toBeGreaterThan(1)
    expect(ratio(3, 1)).toBeCloseTo(1, 12)
  })

  it('the rate given is the best one, and one expert has no regret', () => {
    const setting = { levels: 4, experts: 8, rho: 0.1 }
    const best = lossRate(setting, 5000)
    for (const factor of [0.5, 0.9, 1.1, 2]) {
      expect(lossRegret(setting, 5000, best * factor)).toBeGreaterThan(lossRegret(setting, 5000))
    }
    expect(lossRegret({ levels: 3, experts: 1, rho: 0 }, 100)).toBe(0)
  })
})

/** What a round brings: every expert's vote and the true level. May look at the mixture s, not at the draw. */
type World = (random: Random, t: number, s: Float64Array | undefined, votes: Int32Array) => number

interface Trial {
  levels: number
  experts: number
  rho: number
  horizon: number
}

/** Experts right with probability 0.4 … 0.7, wrong at random otherwise. */
const independent =
  ({ levels, experts }: Trial): World =>
  (random, _t, _s, votes) => {
    const truth = random.integer(levels)
    for (let n = 0; n < experts; n++) {
      const skill = 0.4 + (0.3 * n) / Math.max(1, experts - 1)
      votes[n] = random.uniform() < skill ? truth : (truth + 1 + random.integer(levels - 1)) % levels
    }
    return truth
  }

/** Experts say what they like; the label is the level the ensemble is least likely to say. Adapts to the past. */
const contrary =
  ({ levels, experts }: Trial): World =>
  (random, _t, s, votes) => {
    if (!s) {
      for (let n = 0; n < experts; n++) votes[n] = random.integer(levels)
      return 0
    }
    let truth = 0
    for (let k = 1; k < levels; k++) if (s[k] < s[truth]) truth = k
    return truth
  }

/** The best expert changes half way: the leader of the first half is wrong in the second. */
const reversal =
  ({ levels, experts, horizon }: Trial): World =>
  (random, t, _s, votes) => {
    const truth = random.integer(levels)
    for (let n = 0; n < experts; n++) {
      const right = t < horizon / 2 ? n === 0 : n === experts - 1
      votes[n] = random.uniform() < (right ? 0.9 : 0.3) ? truth : (truth + 1) % levels
    }
    return truth
  }

/** Mean regret against the best fixed expert, over seeds: of our policy (λ = 0, fixed η, no sharing) or the paper's. */
function meanRegret(trial: Trial, makeWorld: (trial: Trial) => World, seeds: number, policy: 'plus' | 'paper'): number {
  const { levels, experts, rho, horizon } = trial
  const world = makeWorld(trial)
  const regrets = new Float64Array(experts)
  const votes = new Int32Array(experts)
  const p = new Float64Array(levels)
  const gamma = explorationRate(trial, 1, horizon)
  for (let seed = 0; seed < seeds; seed++) {
    const random = new Random(seed, 'world')
    const draws = new Random(seed, 'draws')
    const plus = new LossWeights({ experts, rate: lossRate(trial, horizon), share: 0 })
    const paper = new ExpertWeights(experts, levels)
    const estimator = new LossEstimator(zeroOneCosts(levels), levels, 0)
    const advice = new Float64Array(experts * levels)
    for (let t = 0; t < horizon; t++) {
      let truth = world(random, t, undefined, votes)
      advice.fill(0)
      votes.forEach((vote, n) => {
        advice[n * levels + vote] = 1
      })
      mixAdvice(policy === 'plus' ? plus.shares : paper.shares, advice, p)
      if (makeWorld === contrary) truth = world(random, t, p, votes)
      const full = draws.uniform() < rho
      if (policy === 'paper' && !full) for (let k = 0; k < levels; k++) p[k] = (1 - gamma) * p[k] + gamma / levels
      const action = drawLevel(p, draws.uniform())
      votes.forEach((vote, n) => {
        regrets[n] += (Number(vote === truth) - Number(action === truth)) / seeds
      })
      if (policy === 'plus') {
        const known = full ? truth : action === truth ? action : -1
        estimator.estimate({ assessed: action, probability: p[action], known, full }, 0, 0)
        for (let n = 0; n < experts; n++) plus.losses[n] = estimator.losses[votes[n]]
        plus.update()
      } else if (full) paper.reward(advice, 0, truth, gamma / levels)
      else if (action === truth) paper.reward(advice, 0, action, gamma / (levels * p[action]))
    }
  }
  return Math.max(...regrets)
}

describe('Theorem 1 in simulation, 200 seeds: mean regret against every expert is below the bound', () => {
  const trials: Trial[] = [
    { levels: 2, experts: 2, rho: 0, horizon: 400 },
    { levels: 3, experts: 6, rho: 0.2, horizon: 400 },
    { levels: 5, experts: 20, rho: 0, horizon: 200 },
    { levels: 3, experts: 10, rho: 1, horizon: 200 },
  ]
  it.each(trials)('K = $levels, N = $experts, ρ = $rho, T = $horizon', (trial) => {
    const bound = trial.horizon * lossRegret(trial, trial.horizon)
    for (const world of [independent, contrary, reversal]) {
      expect(meanRegret(trial, world, 200, 'plus')).toBeLessThan(bound)
    }
  })

  it('the trial of the specification: below the paper’s policy, and its bound below the paper’s bound', () => {
    const trial = { levels: 3, experts: 6, rho: 0.2, horizon: 2000 }
    const ours = meanRegret(trial, independent, 60, 'plus')
    const paper = meanRegret(trial, independent, 60, 'paper')
    // The specification found 67 and 128, with its own random numbers.
    expect(ours).toBeGreaterThan(50)
    expect(ours).toBeLessThan(85)
    expect(paper).toBeGreaterThan(105)
    expect(paper).toBeLessThan(150)
  })
})
