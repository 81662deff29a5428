import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OptionError } from '../errors.ts'
import { argmax } from '../learners/learner.ts'
import { StateReader, stateBytes } from '../state/state-io.ts'
import { BalancedCosts } from './balanced-costs.ts'
import { cheapestLevel, orderedCosts, scaledCosts, zeroOneCosts } from './cost-matrix.ts'
import { disagreementOf, Escalation } from './escalation.ts'

describe('costs', () => {
  it('of ordered levels grow with the distance, misses by their factor', () => {
    expect(orderedCosts(3, 10)).toEqual([
      [0, 1, 2],
      [10, 0, 1],
      [20, 10, 0],
    ])
    for (const miss of [-1, Number.NaN, 1e7]) expect(() => orderedCosts(3, miss)).toThrow('option miss')
  })

  it('are scaled to 0 … 1', () => {
    expect([...scaledCosts(orderedCosts(3, 10), 3)]).toEqual([0, 0.05, 0.1, 0.5, 0, 0.05, 1, 0.5, 0])
  })

  it('by hand: a miss ten times as dear turns the decision from level 0 to level 1 at a belief of 1/11', () => {
    const costs = scaledCosts(
      [
        [0, 1],
        [10, 0],
      ],
      2,
    )
    expect(cheapestLevel(costs, 2, Float64Array.of(0.92, 0.08))).toBe(0)
    expect(cheapestLevel(costs, 2, Float64Array.of(0.9, 0.1))).toBe(1)
    expect(cheapestLevel(costs, 2, Float64Array.of(9, 9, 0.9, 0.1), 2)).toBe(1)
  })

  it('that balance fall with how often a level was told: by hand, and the same from a saved state', () => {
    const costs = new BalancedCosts(2, 0.5)
    expect([...costs.matrix]).toEqual([0, 1, 1, 0])
    for (let t = 0; t < 99; t++) costs.told(0)
    expect(costs.matrix[1]).toBeCloseTo(0.1, 12)
    expect(costs.matrix[2]).toBe(1)
    const copy = new BalancedCosts(2, 0.5)
    copy.transfer(new StateReader(stateBytes(costs)))
    expect(copy.matrix).toEqual(costs.matrix)
  })

  it('all alike choose the likeliest level', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 6 }), (weights) => {
        // Whole thousandths, so that rounding cannot decide between equals.
        const belief = Float64Array.from(weights, (weight) => Math.round(weight * 1024) / 1024)
        const levels = belief.length
        expect(cheapestLevel(zeroOneCosts(levels), levels, belief)).toBe(argmax(belief))
      }),
    )
  })

  it.each([
    [[[0, 1]]],
    [[[0, 1], [1]]],
    [
      [
        [0, -1],
        [1, 0],
      ],
    ],
    [
      [
        [1, 1],
        [1, 0],
      ],
    ],
    [
      [
        [0, 0],
        [0, 0],
      ],
    ],
    [
      [
        [0, Number.NaN],
        [1, 0],
      ],
    ],
    ['cheap'],
    [null],
  ])('refuse %j', (costs) => {
    expect(() => scaledCosts(costs as number[][], 2)).toThrow(OptionError)
  })
})

describe('Escalation', () => {
  it('passes on what the experts disagree about, and reports the share', () => {
    const escalation = new Escalation(0.25)
    const said = [
      [1, 0, 0],
      [0.7, 0.2, 0.1],
      [0.75, 0.25, 0],
      [0.4, 0.3, 0.3],
    ].map((probabilities) => escalation.check({ probabilities: Float64Array.from(probabilities) }))
    expect(said).toEqual([false, true, false, true])
    expect(escalation.share).toBe(0.5)
    expect(disagreementOf(Float64Array.of(0.25, 0.75))).toBe(0.25)
  })

  it('has passed on nothing before the first assessment, and refuses a threshold outside 0 … 1', () => {
    expect(new Escalation(0).share).toBe(0)
    expect(() => new Escalation(1.1)).toThrow(OptionError)
  })
})
