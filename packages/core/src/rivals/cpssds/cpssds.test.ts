import { describe, expect, it } from 'vitest'
import type { Feedback } from '../../assessor.ts'
import { argmax } from '../../learners/learner.ts'
import { NaiveBayes } from '../../learners/naive-bayes.ts'
import { drawSubset } from '../../math/draws.ts'
import { kolmogorovSmirnov } from '../../math/kolmogorov-smirnov.ts'
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
    expect(changed([new Float64Array(0)], [new Float64Array(3)], 1)).toBe(false)
    // Three values against three larger ones: probability 0.1, for either level and so on average.
    const [low, high] = [Float64Array.of(0.1, 0.2, 0.3), Float64Array.of(0.4, 0.5, 0.6)]
    expect([0.11, 0.09].map((level) => changed([low, low], [high, high], level))).toEqual([true, false])
  })
})

/** CPSSDS on two levels written out; the shares said of each sample, and what it did. Unknown samples have level −1. */
function writtenOut(warmUp: Sample[], stream: Sample[], size: number, share: number, inclusion: number) {
  const fresh = () => new NaiveBayes({ channels: 2, levels: 2 })
  const random = new Random(1, 'labels')
  const split = (labelled: Sample[]) => {
    const cut = Math.round(0.3 * labelled.length)
    return [labelled.slice(0, cut), labelled.slice(cut)]
  }
  let classifier = fresh()
  const teach = (samples: Sample[]) => {
    for (const { x, level } of samples) classifier.learn(x, level)
  }
  const ask = (x: Float64Array) => {
    const shares = new Float64Array(2)
    classifier.predict(x, shares)
    return shares
  }
  let [calibration, learning] = split(warmUp)
  let unlabelled: Sample[] = []
  const kept = [...warmUp]
  teach(learning)
  const said: Float64Array[] = []
  const did = { drifts: [] as number[], pseudo: 0, recalled: 0, labels: 0 }
  stream.forEach(({ x }, t) => {
    said.push(ask(x))
    if ((t + 1) % size !== 0) return
    const chunk = stream.slice(t + 1 - size, t + 1)
    const known = chunk.filter(({ level }) => level >= 0)
    const drawn = new Int32Array(Math.min(Math.round(share * size), known.length))
    drawSubset(random, known.length, drawn.length, drawn)
    const labelled = Array.from(drawn, (at) => known[at])
    const before = unlabelled
    unlabelled = chunk.filter((sample) => !labelled.includes(sample))
    if (labelled.length === 0) return
    did.labels += labelled.length
    const strange = calibration.map((sample) => 1 - ask(sample.x)[sample.level])
    const p = (sample: Sample, level: number) => {
      const own = strange.filter((_, i) => calibration[i].level === level)
      return own.length === 0 ? 0 : own.filter((alpha) => alpha >= 1 - ask(sample.x)[level]).length / own.length
    }
    const column = (samples: Sample[], level: number) => Float64Array.from(samples, (sample) => p(sample, level))
    const changes = [0, 1].map(
      (level) => kolmogorovSmirnov(column(before, level), column(unlabelled, level)).probability,
    )
    const drifted = before.length > 0 && (changes[0] + changes[1]) / 2 < 0.05
    const sure = before.flatMap(({ x }) => {
      const possible = [0, 1].filter((level) => p({ x, level }, level) >= inclusion)
      return possible.length === 1 ? [{ x, level: possible[0] }] : []
    })
    ;[calibration, learning] = split(labelled)
    if (drifted) {
      classifier = fresh()
      did.drifts.push(t)
    }
    teach(learning)
    const missing = [0, 1].filter((level) => learning.every((sample) => sample.level !== level))
    const recalled = missing.flatMap((level) => kept.filter((sample) => sample.level === level).slice(-10))
    teach(drifted ? recalled : sure)
    if (drifted) did.recalled += recalled.length
    else did.pseudo += sure.length
    kept.push(...calibration, ...learning)
  })
  return { said, did }
}

describe('Cpssds', () => {
  it('does as the algorithm written out: conformal pseudo-labels, drift by p-values, memory of missing levels', () => {
    const stream = [...two(400, 71), ...two(160, 72, -30, 0), ...two(240, 73, 3)]
    const known = stream.map(({ x, level }, t) => ({ x, level: t % 3 === 0 || (t >= 160 && t < 240) ? -1 : level }))
    const warmUp = two(40, 74)
    const { said, did } = writtenOut(warmUp, known, 80, 0.5, 0.7)
    const assessor = new Cpssds({
      ...{ channels: 2, levels: 2, epsilon: 0, seed: 1, chunk: 80, labelShare: 0.5, inclusion: 0.7 },
      warmUp: warmUp.map(({ x, level }) => ({ x: [...x], level })),
    })
    const drifts: number[] = []
    let furthest = 0
    known.forEach(({ x, level }, t) => {
      const { id, level: assessed, confidence, drifts: flags } = assessor.assess(x, 'partial')
      if (flags[0] === 1) drifts.push(t - 1)
      furthest = Math.max(furthest, Math.abs(confidence - said[t][argmax(said[t])]))
      expect(assessed).toBe(argmax(said[t]))
      assessor.learn(id, level < 0 ? { kind: 'reject' } : { kind: 'label', level })
    })
    expect(furthest).toBeLessThan(1e-12)
    expect(drifts).toEqual(did.drifts)
    expect(assessor.bought).toBe(did.labels)
    expect([did.drifts.length, did.pseudo, did.recalled].map((count) => count > 0)).toEqual([true, true, true])
  })

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
    // No probability is below 0.
    const steady = new Cpssds({ channels: 2, levels: 2, epsilon: 0, drift: 0 })
    play(steady, [...two(1000, 53), ...two(200, 54, 4)])
    expect(steady.assess(Float64Array.of(4, 0), 'full').drifts[0]).toBe(0)
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
