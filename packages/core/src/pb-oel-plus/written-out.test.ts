import { describe, expect, it } from 'vitest'
import type { Feedback, FeedbackMode } from '../assessor.ts'
import { BalancedCosts } from '../decision/balanced-costs.ts'
import { orderedCosts, scaledCosts, zeroOneCosts } from '../decision/cost-matrix.ts'
import { drawLevel } from '../experts/mixture.ts'
import { Random } from '../math/random.ts'
import { SCRIPTED_EXTENSIONS, scriptedPlus } from '../testing/scripted.ts'
import { LossEstimator } from './loss-estimator.ts'
import { LossWeights } from './loss-weights.ts'
import { NoiseEstimate } from './noise-estimate.ts'
import type { PbOelPlusOptions } from './options.ts'
import { PbOelPlus } from './pb-oel-plus.ts'

const EXPERTS = 4

/** What the method does, in words of docs/method-plus.md. */
interface Plan {
  levels: number
  lambda: number | 'leader' | 'plain'
  leads: boolean
  explore: number
  implicit: number
  noise: number | NoiseEstimate
  drawn: boolean
  /** Whether labels that nobody promised tell the weights only right or wrong. */
  wary: boolean
  costs: Float64Array
  balanced?: BalancedCosts
}

interface Round {
  votes: number[]
  s: number[]
  p: number[]
  level: number
  lambda: number
  promised: boolean
  told?: { known: number; full: boolean; importance: number; rate: number; noise: number }
}

/** PB-OEL+ written out for hard advice, from weights and estimates that are tested by themselves. */
class WrittenOut {
  readonly rewards = new Array<number>(EXPERTS).fill(0)
  answers = 0
  labels = 0
  right = 0
  weight = 0
  bias = 0
  readonly weights: LossWeights
  private readonly rounds: Round[] = []
  private readonly plan: Plan
  private readonly estimator: LossEstimator

  constructor(plan: Plan, weights: LossWeights) {
    this.plan = plan
    this.weights = weights
    this.estimator = new LossEstimator(plan.costs, plan.levels, plan.implicit, plan.lambda === 'plain')
  }

  /** The mixture s, and the distribution the level is drawn from. */
  decide(votes: number[], mode: FeedbackMode): Round {
    const { levels, lambda, leads, explore, drawn } = this.plan
    const s = Array.from({ length: levels }, (_, k) =>
      votes.reduce((sum, vote, n) => sum + (vote === k ? this.weights.shares[n] : 0), 0),
    )
    const leader = s.indexOf(Math.max(...s))
    const epsilon = mode === 'full' || levels === 2 ? 0 : explore
    const p = leads && drawn ? s.map((share, k) => epsilon * share + (k === leader ? 1 - epsilon : 0)) : s
    const number = lambda === 'leader' ? s[leader] : lambda === 'plain' ? 0 : lambda
    const round = { votes, s, p, level: leader, lambda: drawn ? number : 0, promised: mode === 'full' }
    this.rounds.push(round)
    return round
  }

  learn(id: number, feedback: Feedback): void {
    const { levels, noise, drawn, wary, balanced } = this.plan
    const round = this.rounds[id]
    const { level, told, promised } = round
    const wrong = levels === 2 ? 1 - level : -1
    let known = feedback.kind === 'label' ? feedback.level : feedback.kind === 'confirm' ? level : wrong
    let full = feedback.kind === 'label' || levels === 2
    const labelled = full
    if (wary && !promised && levels > 2) {
      full = false
      if (known !== level) known = -1
    }
    if (noise instanceof NoiseEstimate && !told) noise.count(round.p[level], known !== level)
    if (!drawn && known >= 0) full = true
    const importance = told?.importance ?? 1 / (feedback.asked ?? 1)
    if (told) {
      this.right -= told.known === level ? importance : 0
      this.charge(round, told)
      this.weights.shift(told.rate)
      this.reward(round, told, -1)
      round.told = { ...told, known, full }
      this.charge(round, round.told)
      this.weights.shift(-told.rate)
    } else {
      const value = noise instanceof NoiseEstimate ? noise.value : noise
      round.told = { known, full, importance, rate: this.weights.rate, noise: value }
      const behind = (this.rounds.length - 1 - id) * Math.min(1, (this.answers + 1) / (id + 1))
      this.answers++
      this.weight += importance
      if (labelled || full) this.labels++
      this.charge(round, round.told)
      this.weights.update(behind)
      if (!full) this.bias += importance * this.hidden(round, known)
      if (known >= 0) balanced?.told(known)
    }
    if (known === level) this.right += importance
    this.reward(round, round.told, 1)
  }

  /** ℓ̂_n is the estimate for the level that expert n named. */
  private charge({ votes, level, p, lambda }: Round, { known, full, importance, noise }: NonNullable<Round['told']>) {
    const probability = this.plan.drawn ? p[level] : 1
    this.estimator.estimate({ assessed: level, probability, known, full }, lambda, noise)
    this.weights.losses.set(votes.map((vote) => importance * this.estimator.losses[vote]))
  }

  /** Rewards are 1 where the label is known, 1/p_a after a confirmation of a. */
  private reward({ votes, level, p }: Round, { known, full, importance }: NonNullable<Round['told']>, sign: number) {
    const weight = full || !this.plan.drawn ? 1 : 1 / p[level]
    for (const [n, vote] of votes.entries()) if (vote === known) this.rewards[n] += sign * importance * weight
  }

  /** Lemma 5. */
  private hidden({ s, p, level, lambda }: Round, known: number): number {
    const { implicit } = this.plan
    if (implicit === 0) return 0
    const rejections = (1 - lambda) * s.reduce((sum, share) => sum + (share * implicit) / (share + implicit), 0)
    if (known < 0) return rejections
    return rejections + (lambda * (1 - p[level]) * implicit) / (p[level] * (p[level] + implicit))
  }
}

const COSTS = orderedCosts(3, 5)
const plain: Omit<Plan, 'levels' | 'costs'> = {
  lambda: 'plain',
  leads: true,
  explore: 0.05,
  implicit: 0.05,
  noise: 0,
  drawn: true,
  wary: true,
}
const warmUp = [0, 0, 1].map((level) => ({ x: new Array(EXPERTS).fill(0), level }))
const balancing = () => {
  const balanced = new BalancedCosts(3, 0.5)
  for (const { level } of warmUp) balanced.told(level)
  return { balanced, costs: balanced.matrix, lambda: 1 }
}

/** Options, what they change in the plan, and how the weights learn. */
const cases: [Partial<PbOelPlusOptions>, () => Partial<Plan>, { share?: number; rate?: number; patient?: boolean }][] =
  [
    [{}, () => ({}), {}],
    [
      { decision: 'draw', lambda: 'leader', implicit: 0.1, share: 0.01 },
      () => ({ leads: false, lambda: 'leader', implicit: 0.1 }),
      { share: 0.01 },
    ],
    [
      { lambda: 0.3, rate: 0.5, noise: 0.1, explore: 0.3 },
      () => ({ lambda: 0.3, noise: 0.1, explore: 0.3 }),
      { rate: 0.5, patient: false },
    ],
    [{ action: 'argmax', lambda: 0.5 }, () => ({ drawn: false, lambda: 0.5 }), {}],
    [{ levels: 2, share: 0 }, () => ({ levels: 2 }), { share: 0 }],
    [
      { edition: 1 },
      () => ({ lambda: 'leader', leads: false, implicit: 0, wary: false }),
      { share: 1e-3, patient: false },
    ],
    [{ costs: COSTS }, () => ({ costs: scaledCosts(COSTS, 3), lambda: 1 }), {}],
    [{ balance: 0.5, warmUp }, balancing, {}],
    [{ noise: 'estimated', explore: 0 }, () => ({ noise: new NoiseEstimate(), explore: 0 }), {}],
  ]

describe('PB-OEL+ does what it does written out', () => {
  it.each(cases)('%o', (options, change, { share = 5e-4, rate, patient = true }) => {
    const levels = options.levels ?? 3
    const plan: Plan = { ...plain, levels, costs: zeroOneCosts(levels), ...change() }
    const settings = { experts: EXPERTS, share, rate: rate ?? ('adaptive' as const), patient }
    const expected = new WrittenOut(plan, new LossWeights(settings))
    let assessor = scriptedPlus(EXPERTS, levels, { seed: 4, ...options })
    const [random, actions] = [new Random(9, 'world'), new Random(4, 'actions')]
    const [truths, said]: number[][] = [[], []]
    const answered = new Set<number>()
    for (let t = 0; t < 60; t++) {
      const truth = random.integer(levels)
      // Nearly unanimous in every second round, so that answers that contradict it tell of noise.
      const votes = Array.from({ length: EXPERTS }, () =>
        t % 2 === 0 || random.uniform() < 0.6 ? truth : random.integer(levels),
      )
      truths.push(random.uniform() < 0.8 ? truth : random.integer(levels))
      if (t === 30) assessor = PbOelPlus.restore(assessor.snapshot(), SCRIPTED_EXTENSIONS)
      const mode = (['full', 'partial', 'unknown'] as const)[random.integer(3)]
      const round = expected.decide(votes, mode)
      const { level, probabilities, confidence } = assessor.assess(Float64Array.from(votes), mode)
      const drawn = drawLevel(Float64Array.from(round.p), actions.uniform())
      expect(level).toBe(plan.drawn ? drawn : round.level)
      round.level = level
      said.push(level)
      for (const [k, s] of round.s.entries()) expect(probabilities[k]).toBeCloseTo(s, 12)
      expect(confidence).toBeCloseTo(round.s[level], 12)
      const id = Math.max(0, t - [0, 0, 1, 7][random.integer(4)])
      const correction = answered.has(id)
      if (correction) truths[id] = random.integer(levels)
      answered.add(id)
      const verdict = { kind: truths[id] === said[id] ? 'confirm' : 'reject' } as const
      const feedback: Feedback = {
        ...(random.uniform() < 0.4 ? { kind: 'label', level: truths[id] } : verdict),
        ...(random.uniform() < 0.3 && { asked: 0.5 }),
        ...(correction && { correction }),
      }
      assessor.learn(id, feedback)
      expected.learn(id, feedback)
      for (const [n, q] of expected.weights.shares.entries()) expect(assessor.shares[n]).toBeCloseTo(q, 9)
      expect(assessor.rate).toBeCloseTo(expected.weights.rate, 9)
      expect(assessor.bias).toBeCloseTo(expected.bias, 9)
      const { rounds, labelledRounds, accuracy, ultimate } = assessor.guarantee()
      expect([rounds, labelledRounds]).toEqual([expected.answers, expected.labels])
      expect(accuracy).toBeCloseTo(expected.right / Math.max(1, expected.weight), 9)
      expect(ultimate).toBeCloseTo(Math.max(...expected.rewards) / Math.max(1, expected.weight), 9)
    }
    // Where answers can be wrong nothing is bounded, and edition 1 did not look.
    const bounded = plan.noise === 0 && options.edition !== 1
    expect('regretWithConfidence' in assessor.guarantee()).toBe(bounded)
  })
})
