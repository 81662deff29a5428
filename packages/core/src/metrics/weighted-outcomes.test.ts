import { describe, expect, it } from 'vitest'
import { Random } from '../math/random.ts'
import { StateReader, StateWriter, WideningReader } from '../state/state-io.ts'
import { outcomeOf, WeightedOutcomes } from './weighted-outcomes.ts'

describe('WeightedOutcomes', () => {
  it('speaks of all samples where questions are chosen', () => {
    const random = new Random(4, 'outcomes')
    const truth = new WeightedOutcomes(3)
    const weighted = new WeightedOutcomes(3)
    const plain = new WeightedOutcomes(3)
    for (let t = 0; t < 60_000; t++) {
      const assessed = random.integer(3)
      const outcome = outcomeOf(assessed, random.uniform() < 0.9 ? assessed : random.integer(3))
      const coin = outcome === 'right' ? 0.05 : 0.5
      truth.add(assessed, outcome)
      if (random.uniform() >= coin) continue
      weighted.add(assessed, outcome, 1 / coin)
      plain.add(assessed, outcome)
    }
    for (const level of [undefined, 0, 1, 2]) {
      const [exact, estimate] = [truth.shares(level), weighted.shares(level)]
      for (const figure of ['accuracy', 'misses', 'falseAlarms'] as const) {
        expect(Math.abs(estimate[figure] - exact[figure])).toBeLessThan(0.02)
      }
    }
    expect(plain.shares().accuracy).toBeLessThan(0.7)
    expect(weighted.shares(0).falseAlarms).toBe(0)
    expect(weighted.shares(2).misses).toBe(0)
  })

  it('has the shares of all levels and of each one, every kind in its place', () => {
    const outcomes = new WeightedOutcomes(3)
    outcomes.add(0, 'right', 3)
    outcomes.add(0, 'miss')
    outcomes.add(2, 'false alarm', 2)
    outcomes.add(2, 'right', 1)
    outcomes.add(2, 'wrong', 5)
    const shares = (weight: number, ...[accuracy, misses, falseAlarms, wrong]: number[]) => ({
      ...{ weight, accuracy: accuracy / (weight || 1), misses: misses / (weight || 1) },
      ...{ falseAlarms: falseAlarms / (weight || 1), wrong: wrong / (weight || 1) },
    })
    expect(outcomes.shares()).toEqual(shares(12, 4, 1, 2, 5))
    expect(outcomes.shares(0)).toEqual(shares(4, 3, 1, 0, 0))
    expect(outcomes.shares(1)).toEqual(shares(0, 0, 0, 0, 0))
    expect(outcomes.shares(2)).toEqual(shares(8, 1, 0, 2, 5))
    const writer = new StateWriter()
    outcomes.transfer(writer)
    const copy = new WeightedOutcomes(3)
    copy.transfer(new StateReader(writer.finish()))
    expect(copy.shares(2)).toEqual(outcomes.shares(2))
  })

  it('keeps the outcomes of every level when a level is added', () => {
    const narrow = new WeightedOutcomes(2)
    narrow.add(0, 'miss', 3)
    narrow.add(1, 'right', 5)
    const writer = new StateWriter()
    narrow.transfer(writer)
    writer.number(7)
    const reader = new WideningReader(writer.finish())
    const wide = new WeightedOutcomes(3)
    wide.transfer(reader)
    expect([0, 1].map((level) => wide.shares(level))).toEqual([0, 1].map((level) => narrow.shares(level)))
    expect(wide.shares(2).weight).toBe(0)
    // It has read its own bytes and no more.
    expect(reader.number()).toBe(7)
  })

  it('names what became of an assessment', () => {
    expect([outcomeOf(0, 1), outcomeOf(1, 1), outcomeOf(2, 1)]).toEqual(['miss', 'right', 'false alarm'])
  })

  it('takes an answer back, and is empty before any', () => {
    const outcomes = new WeightedOutcomes(2)
    outcomes.add(0, 'wrong', 2)
    outcomes.add(0, 'wrong', -2)
    expect(outcomes.shares()).toEqual({ weight: 0, accuracy: 0, misses: 0, falseAlarms: 0, wrong: 0 })
  })
})
