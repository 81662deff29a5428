import { expect, it } from 'vitest'
import { copyState } from '../laws/law.ts'
import { standardRegret } from '../pb-oel/bounds.ts'
import { LossWeights } from './loss-weights.ts'
import { RegretMonitor } from './regret-monitor.ts'

/** Two rounds: one that counts twice was right, one that counts once was wrong and labelled. */
function monitored(experts = 2): RegretMonitor {
  const monitor = new RegretMonitor(experts, 3)
  monitor.count(true, false, 2)
  monitor.count(false, true)
  if (experts === 2) monitor.total.set([1, 2.5])
  monitor.bias = 0.6
  return monitor
}

const paper = standardRegret({ levels: 3, experts: 2, rho: 0.5 }, 3)

it('charges the regret terms of the weights and the bias per round, beside the bound of the paper', () => {
  const weights = Object.assign(new LossWeights({ experts: 2, rate: 1, share: 0 }), {
    ...{ learning: 0.3, sharing: 0.15, spread: 0.45 },
  })
  const { terms, penalty, value, ultimate, bestExpert } = monitored().report(weights, undefined)
  expect(Object.keys(terms ?? {})).toEqual(['learning', 'sharing', 'spread', 'bias', 'paper'])
  for (const [name, expected] of Object.entries({ learning: 0.1, sharing: 0.05, spread: 0.15, bias: 0.2, paper })) {
    expect(terms?.[name]).toBeCloseTo(expected, 12)
  }
  expect([bestExpert, ultimate]).toEqual([1, 2.5 / 3])
  expect(penalty).toBeCloseTo(0.5, 12)
  expect(value).toBeCloseTo(2.5 / 3 - 0.5, 12)
  expect(monitored().report(weights, 0.07).terms?.worstCase).toBe(0.07)
  const empty = new RegretMonitor(1, 3).report(weights, undefined)
  expect(empty).toMatchObject({
    applies: false,
    reason: 'no answer yet',
    penalty: expect.closeTo(0.9, 12),
    terms: { paper: 0 },
  })
})

it('promises no more than was observed to be right, where open assessments count as wrong', () => {
  const terms = { against: 0.1, inFavour: 0, open: 0, chance: 0 }
  const regret = { value: 0.1, confidence: 0.95, samples: 4, terms }
  const bounded = { ...regret, window: regret }
  const promised = (assessments: number) => monitored().reportRegret(bounded, assessments).value
  // Rounds that count 2 of 3 were right; the best expert had 2.5 of 3, and the regret is 0.1.
  expect(promised(2)).toBeCloseTo(2 / 3, 12)
  expect(promised(10)).toBeCloseTo(0.2, 12)
  const good = monitored()
  good.recount(false, true)
  expect(good.reportRegret(bounded, 3).value).toBeCloseTo(2.5 / 3 - 0.1, 12)
  const report = monitored().reportRegret(bounded, 3, 'a reason')
  expect(report).toMatchObject({ applies: false, reason: 'a reason', penalty: 0.1, regretWithConfidence: bounded })
  expect(report.terms).toEqual({ ...terms, paper: expect.closeTo(paper, 12) })
  expect(new RegretMonitor(2, 3).reportRegret(bounded, 0).value).toBeCloseTo(-0.1, 12)
})

it('goes on from its state', () => {
  const copy = copyState(monitored(), new RegretMonitor(2, 3))
  expect(copy).toEqual(monitored())
})
