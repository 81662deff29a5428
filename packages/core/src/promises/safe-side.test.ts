import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Random } from '../math/random.ts'
import { StateReader, stateBytes } from '../state/state-io.ts'
import { SafeSide } from './safe-side.ts'

describe('SafeSide', () => {
  it('is the lowest level with at most θ above it', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: 2, maxLength: 6 }), (raw) => {
        const total = raw.reduce((a, b) => a + b)
        const probabilities = raw.map((value) => value / total)
        const safeSide = new SafeSide()
        const above = (level: number) => probabilities.slice(level + 1).reduce((a, b) => a + b, 0)
        const level = safeSide.levelFor(probabilities)
        expect(above(level)).toBeLessThanOrEqual(safeSide.threshold + 1e-12)
        if (level > 0) expect(above(level - 1)).toBeGreaterThan(safeSide.threshold - 1e-12)
      }),
    )
  })

  it.each([
    ['labels', 1, 1],
    ['right or wrong', 0, 1],
    ['right or wrong, one in five asked', 0, 0.2],
  ])(
    'lets the share of misses exceed the target by no more than Theorem D adds and a tenth, whatever the stream does: %s',
    (_, labels, coin) => {
      for (const missTarget of [0.05, 0.02]) {
        const safeSide = new SafeSide({ missTarget, floor: coin })
        const random = new Random(3, 'safe side')
        const samples = 60_000
        let misses = 0
        for (let t = 0; t < samples; t++) {
          // For ten thousand samples the probabilities say nothing about the truth, then they do half of the time.
          const blind = t % 20_000 < 10_000 || random.uniform() < 0.5
          const truth = random.uniform() < 0.3 ? 2 : random.uniform() < 0.5 ? 1 : 0
          const p = [0.05, 0.05, 0.05]
          p[blind ? random.integer(3) : truth] += 0.85
          const level = safeSide.levelFor(p)
          if (truth > level) misses++
          if (random.uniform() >= coin) continue
          const assessed = p.indexOf(Math.max(...p))
          const told = random.uniform() < labels || assessed === truth
          safeSide.learn(level, (k) => (told ? k === truth : k !== assessed), 3, coin)
        }
        // The range of ln θ over the step, per sample, is what Theorem D adds.
        expect(misses / samples).toBeLessThan(missTarget * 1.1 + 12 / (coin * samples))
      }
    },
  )

  it('θ begins at 0.05 and follows ln θ ← ln θ + step·(α − m̂), by hand', () => {
    const safeSide = new SafeSide({ missTarget: 0.1, step: 2, floor: 0.5 })
    expect(safeSide.threshold).toBeCloseTo(0.05, 15)
    expect(safeSide.levelFor([1 - safeSide.threshold, safeSide.threshold])).toBe(0)
    // The safe-side level itself and any below it are no miss.
    safeSide.learn(1, (k) => k === 1, 3, 0.5)
    safeSide.learn(1, (k) => k < 1, 3, 0.5)
    expect(safeSide.threshold).toBeCloseTo(0.05 * Math.exp(0.4), 12)
    // A coin of 1 counts half as much as the floor.
    safeSide.learn(1, (k) => k === 2, 3, 1)
    expect(safeSide.threshold).toBeCloseTo(0.05 * Math.exp(0.4 - 0.9), 12)
    const copy = new SafeSide({ missTarget: 0.1, step: 2, floor: 0.5 })
    copy.transfer(new StateReader(stateBytes(safeSide)))
    expect(copy.threshold).toBe(safeSide.threshold)
  })

  it('θ never exceeds 0.5, and is 0 from 1e-5 on down', () => {
    const high = new SafeSide({ missTarget: 0.5, step: 10 })
    for (let t = 0; t < 10; t++) high.learn(0, (k) => k === 0, 2)
    expect(high.threshold).toBeCloseTo(0.5, 12)
    const low = new SafeSide({ missTarget: 1e-9 })
    // 0.05 · e^−8 = 1.7e-5, 0.05 · e^−9 = 6e-6.
    for (let t = 0; t < 8; t++) low.learn(0, (k) => k === 1, 2)
    expect(low.threshold).toBeCloseTo(0.05 * Math.exp(-8), 12)
    expect(low.levelFor([1 - 1e-5, 1e-5])).toBe(0)
    low.learn(0, (k) => k === 1, 2)
    expect(low.threshold).toBe(0)
    expect(low.levelFor([1, 0])).toBe(1)
  })

  it('far enough down nothing can be missed', () => {
    const safeSide = new SafeSide({ missTarget: 0.001, step: 10 })
    for (let t = 0; t < 10; t++) safeSide.learn(0, (k) => k === 2, 3)
    expect(safeSide.threshold).toBe(0)
    expect(safeSide.levelFor([1, 0, 0])).toBe(2)
  })

  it.each([
    ['missTarget', 0],
    ['step', 11],
    ['floor', 2],
    ['alpha', 0.1],
  ])('refuses %s: %s', (option, value) => {
    expect(() => new SafeSide({ [option]: value })).toThrow(`option ${option}`)
  })
})
