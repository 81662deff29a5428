import { describe, expect, it } from 'vitest'
import type { Feedback } from '../../assessor.ts'
import { Random } from '../../math/random.ts'
import { play, type Sample, share } from '../testing/play.ts'
import { splitChunk, splitChunkEarly } from './chunk-split.ts'
import { brokenLabel, ConformalPredictor, changed, onlyLevel } from './conformal.ts'
import { CPSSDS, Cpssds } from './cpssds.ts'

const positions = (size: number): number[] => Array.from({ length: size }, (_, i) => i)

/** Two levels, the second to the right of the first; `shift` moves both, `only` leaves one level. */
function two(count: number, seed: number, shift = 0, only = -1): Sample[] {
  const random = new Random(seed, 'two')
  return Array.from({ length: count }, () => {
    const level = only < 0 ? random.integer(2) : only
    return { x: Float64Array.of(shift + 4 * level + random.normal(), random.normal()), level }
  })
}

describe('splitChunk', () => {
  const sizes = (split: ReturnType<typeof splitChunk>): number[] => [
    split.learning.length,
    split.calibration.length,
    split.unlabelled.length,
  ]

  it('splits a chunk of 200 with 40 labels as the specification says', () => {
    expect(sizes(splitChunk(200, positions(200), 40, 0.3))).toEqual([28, 12, 160])
    // Without the first fifth, which the notebook keeps for testing.
    expect(sizes(splitChunk(160, positions(160), 40, 0.3))).toEqual([28, 12, 120])
    expect(sizes(splitChunkEarly(200, positions(200), 40, 0.3))).toEqual([26, 11, 118])
  })

  it('uses no sample twice, and only known ones as labelled', () => {
    for (const split of [splitChunk, splitChunkEarly]) {
      const known = positions(200).filter((at) => at % 7 === 0)
      const { learning, calibration, unlabelled } = split(200, known, 40, 0.3)
      const all = [...learning, ...calibration, ...unlabelled]
      expect(new Set(all).size).toBe(all.length)
      for (const at of [...learning, ...calibration]) expect(at % 7).toBe(0)
    }
  })

  it('manages with few known samples or none', () => {
    expect(sizes(splitChunk(200, [], 40, 0.3))).toEqual([0, 0, 200])
    expect(sizes(splitChunk(200, [50], 40, 0.3))).toEqual([1, 0, 199])
    expect(sizes(splitChunkEarly(200, [], 40, 0.3))).toEqual([0, 0, 158])
    expect(sizes(splitChunkEarly(200, [50], 40, 0.3))).toEqual([0, 0, 157])
  })
})

describe('ConformalPredictor', () => {
  it('ranks a sample among the calibration samples of its level', () => {
    const predictor = new ConformalPredictor(2)
    for (const alpha of [0.1, 0.3, 0.5]) predictor.calibrate(0, alpha)
    expect(predictor.p(0, 0.3)).toBeCloseTo(2 / 3, 15)
    expect(predictor.p(0, 0.05)).toBe(1)
    expect(predictor.p(0, 0.6)).toBe(0)
    expect(predictor.p(1, 0)).toBe(0)
  })

  it('takes a sample for certain when one level only is possible; the published port when all are, and calls it 0', () => {
    const values = [Float64Array.of(1, 0.9, 1, 0.2), Float64Array.of(0.5, 0.2, 1, 1)]
    expect([0, 1, 2, 3].map((i) => onlyLevel(values, i, 1))).toEqual([0, -1, -1, 1])
    expect([0, 1, 2, 3].map((i) => brokenLabel(values, i, 1))).toEqual([-1, -1, 0, -1])
  })

  it('calls it a change when p-values go from 0 to 1, and none when they stay', () => {
    const none = [new Float64Array(118), new Float64Array(118)]
    const full = [new Float64Array(118).fill(1), new Float64Array(118).fill(1)]
    expect(changed(none, full, 0.05)).toBe(true)
    expect(changed(full, full, 0.05)).toBe(false)
    expect(changed([new Float64Array(0)], [new Float64Array(0)], 0.05)).toBe(false)
  })
})

describe('Cpssds', () => {
  it('learns at the end of each chunk from its share of labels', () => {
    const assessor = new Cpssds({ channels: 2, levels: 2, epsilon: 0 })
    const { right } = play(assessor, two(1000, 51))
    expect(assessor.bought).toBe(200)
    const ones = two(1000, 51).map(({ level }) => level === 0)
    // Before the first chunk is complete it says 0.
    expect(right.slice(0, 200)).toEqual(ones.slice(0, 200))
    expect(share(right, 200)).toBeGreaterThan(0.95)
  })

  it('sees no drift when the same chunk comes twice', () => {
    const chunk = two(200, 52)
    const { replaced } = play(new Cpssds({ channels: 2, levels: 2, epsilon: 0 }), [
      ...chunk,
      ...chunk,
      ...chunk,
      ...chunk.slice(0, 1),
    ])
    expect(replaced.every((count) => count === 0)).toBe(true)
  })

  it('starts afresh when the p-values change, and keeps a level the new chunk lacks', () => {
    // Level 0 moves far to the left; level 1 does not appear, but its place is remembered.
    const stream = [...two(400, 53), ...two(200, 54, -30, 0)]
    const assessor = new Cpssds({ channels: 2, levels: 2, epsilon: 0 })
    play(assessor, stream)
    const at = (x: number): { level: number; drift: number } => {
      const { level, drifts } = assessor.assess(Float64Array.of(x, 0), 'full')
      return { level, drift: drifts[0] }
    }
    expect(at(-30)).toEqual({ level: 0, drift: 1 })
    expect(at(4)).toEqual({ level: 1, drift: 0 })
  })

  it('forgets at drift what the old classifier knew', () => {
    // Both levels move by 4: level 0 now stands where level 1 was.
    const assessor = new Cpssds({ channels: 2, levels: 2, epsilon: 0 })
    play(assessor, [...two(1000, 53), ...two(200, 54, 4)])
    const { level, drifts } = assessor.assess(Float64Array.of(4, 0), 'full')
    expect([level, drifts[0]]).toEqual([0, 1])
  })

  it('as in the paper: a confirmed level is no label, and a chunk with one labelled level is not learned', () => {
    const warmUp = two(100, 57).map(({ x, level }) => ({ x: Array.from(x), level }))
    const make = () => new Cpssds({ channels: 2, levels: 2, epsilon: 0, warmUp, compat: 'paper' })
    const told = (samples: Sample[], kind: (sample: Sample, level: number) => Feedback) => {
      const assessor = make()
      for (const sample of samples) {
        const { id, level } = assessor.assess(sample.x, 'partial')
        assessor.learn(id, kind(sample, level))
      }
      return assessor.bought
    }
    const label = ({ level }: Sample): Feedback => ({ kind: 'label', level })
    expect(told(two(200, 61), label)).toBe(40)
    expect(told(two(200, 61), () => ({ kind: 'confirm' }))).toBe(0)
    expect(told(two(200, 61, 0, 1), label)).toBe(0)
    expect(CPSSDS.labelledFirst?.({ compat: 'paper' })).toBe(200)
    expect(CPSSDS.labelledFirst?.({ compat: 'paper', chunk: 50 })).toBe(50)
    expect(CPSSDS.labelledFirst?.({})).toBeUndefined()
  })

  it('learns nothing from a chunk in which nothing is known', () => {
    const assessor = new Cpssds({ channels: 2, levels: 2, epsilon: 0 })
    play(assessor, two(200, 55))
    const before = assessor.assess(Float64Array.of(1.9, 0), 'full').confidence
    for (const { x } of two(200, 56, 3)) assessor.learn(assessor.assess(x, 'partial').id, { kind: 'reject' })
    expect(assessor.bought).toBe(40)
    expect(assessor.assess(Float64Array.of(1.9, 0), 'full').confidence).toBe(before)
  })

  it('takes a warm-up for its first chunk', () => {
    const warmUp = two(100, 57).map(({ x, level }) => ({ x: Array.from(x), level }))
    const assessor = new Cpssds({ channels: 2, levels: 2, epsilon: 0, warmUp })
    expect(share(play(assessor, two(199, 58)).right)).toBeGreaterThan(0.93)
    expect(assessor.bought).toBe(0)
  })

  it('runs with trees, and as the published port', () => {
    for (const options of [{ base: 'hoeffding-tree' }, { compat: 'skm' }] as const) {
      const assessor = new Cpssds({ channels: 2, levels: 2, epsilon: 0, ...options })
      expect(share(play(assessor, two(1000, 59)).right, 200)).toBeGreaterThan(0.9)
    }
  })
})
