import { describe, expect, it } from 'vitest'
import type { Assessor } from '../assessor.ts'
import { OptionError } from '../errors.ts'
import { dive } from '../streams/dive.ts'
import { Flip } from './flip.ts'
import { Majority } from './majority.ts'
import { NoChange } from './no-change.ts'
import { play, type Sample, share } from './testing/play.ts'

const task = { channels: 1, levels: 2, epsilon: 0 }

function levels(...list: number[]): Sample[] {
  return list.map((level) => ({ x: new Float64Array(1), level }))
}

/** The levels assessed for samples without answers. */
function said(assessor: Assessor, count: number): number[] {
  return Array.from({ length: count }, () => assessor.assess(new Float64Array(1), 'full').level)
}

describe('NoChange', () => {
  it('is wrong on a dive whenever the level changes: at its beginning and ten times after', () => {
    const { right } = play(new NoChange({ channels: 24, levels: 3, epsilon: 0 }), dive({ labelNoise: 0 }))
    expect(right.filter((one) => !one)).toHaveLength(11)
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
  it('is right on a dive where the level is the most frequent one before, counted by hand', () => {
    const { right } = play(new Majority({ channels: 24, levels: 3, epsilon: 0 }), dive({ labelNoise: 0 }))
    const counts = [0, 0, 0]
    let t = 0
    for (const { level } of dive({ labelNoise: 0 })) {
      expect(right[t++]).toBe(level === counts.indexOf(Math.max(...counts)))
      counts[level]++
    }
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
