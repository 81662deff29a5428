import { describe, expect, it } from 'vitest'
import type { Assessor } from '../assessor.ts'
import { OptionError } from '../errors.ts'
import { Flip } from './flip.ts'
import { Majority } from './majority.ts'
import { NoChange } from './no-change.ts'
import { electricity, play, type Sample, share } from './testing/play.ts'

const stream = electricity()
const missing = stream === undefined ? ' (skipped: ../shared/datasets/electricity.csv.gz is not there)' : ''
const task = { channels: 1, levels: 2, epsilon: 0 }

function levels(...list: number[]): Sample[] {
  return list.map((level) => ({ x: new Float64Array(1), level }))
}

/** The levels assessed for samples without answers. */
function said(assessor: Assessor, count: number): number[] {
  return Array.from({ length: count }, () => assessor.assess(new Float64Array(1), 'full').level)
}

describe('NoChange', () => {
  it.skipIf(stream === undefined)(`is right on 0.8533 of electricity${missing}`, () => {
    const { right } = play(new NoChange({ channels: 8, levels: 2, epsilon: 0 }), stream as Sample[])
    expect(share(right)).toBeCloseTo(0.8533, 4)
  })

  it('repeats the last level it knows, not the last there was', () => {
    const assessor = new NoChange({ channels: 1, levels: 3, epsilon: 0 })
    expect(said(assessor, 1)).toEqual([0])
    play(assessor, levels(2, 1))
    expect(said(assessor, 2)).toEqual([1, 1])
    const { id } = assessor.assess(new Float64Array(1), 'partial')
    assessor.learn(id, { kind: 'reject' })
    expect(said(assessor, 1)).toEqual([1])
  })

  it('scores as the specification computes by hand', () => {
    // The check of κ-temporal: 8 of 10 right when the level before the first is 0.
    const { right } = play(new NoChange(task), levels(0, 0, 0, 1, 1, 1, 1, 0, 0, 0))
    expect(share(right)).toBe(0.8)
  })
})

describe('Majority', () => {
  it.skipIf(stream === undefined)(`is right on 0.5755 of electricity, less what it takes to know${missing}`, () => {
    const samples = stream as Sample[]
    expect(share(samples.map(({ level }) => level === 1))).toBeCloseTo(0.5755, 4)
    // 26,075 samples have level 1. While the two levels take turns in the lead at the beginning, five are lost.
    const { right } = play(new Majority({ channels: 8, levels: 2, epsilon: 0 }), samples)
    expect(share(right)).toBe(26_070 / 45_312)
  })

  it('says the most frequent level so far, the lowest of equals, with its share', () => {
    const assessor = new Majority({ channels: 1, levels: 3, epsilon: 0 })
    play(assessor, levels(2, 1, 2))
    const { level, confidence } = assessor.assess(new Float64Array(1), 'full')
    expect(level).toBe(2)
    expect(confidence).toBeCloseTo(2 / 3, 14)
    play(assessor, levels(1))
    expect(said(assessor, 1)).toEqual([1])
  })
})

describe('Flip', () => {
  it('is always right on a stream that alternates, and always wrong on one that does not', () => {
    const alternating = levels(...Array.from({ length: 100 }, (_, i) => i % 2))
    expect(share(play(new Flip(task), alternating).right)).toBe(1)
    expect(share(play(new Flip(task), levels(...new Array<number>(100).fill(1))).right)).toBe(0)
  })

  it('is for two levels', () => {
    expect(() => new Flip({ channels: 1, levels: 3 })).toThrow(OptionError)
  })
})
