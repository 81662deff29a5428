import { describe, expect, it } from 'vitest'
import { Random } from '../math/random.ts'
import { StateReader, stateBytes } from '../state/state-io.ts'
import { Recalibration } from './recalibration.ts'
import { Reliability } from './reliability.ts'

describe('Reliability', () => {
  it('measures the distance between confidence and accuracy, by hand', () => {
    const reliability = new Reliability()
    for (let i = 0; i < 8; i++) reliability.add(0.95, i < 4)
    for (let i = 0; i < 2; i++) reliability.add(0.25, i < 1)
    expect(reliability.expectedError).toBeCloseTo(0.8 * 0.45 + 0.2 * 0.25, 12)
    expect(reliability.bins[9]).toMatchObject({ weight: 8, accuracy: 0.5 })
    expect(reliability.bins[9].confidence).toBeCloseTo(0.95, 12)
    expect(reliability.bins[0]).toEqual({ from: 0, to: 0.1, weight: 0, confidence: 0, accuracy: 0 })
  })

  it('is not biased by chosen questions when they count 1/π-fold', () => {
    const random = new Random(1, 'reliability')
    const [all, weighted, plain] = [new Reliability(1), new Reliability(1), new Reliability(1)]
    for (let t = 0; t < 40_000; t++) {
      const right = random.uniform() < 0.8
      const coin = right ? 0.1 : 0.5
      all.add(0.8, right)
      if (random.uniform() >= coin) continue
      weighted.add(0.8, right, 1 / coin)
      plain.add(0.8, right)
    }
    expect(weighted.bins[0].accuracy).toBeCloseTo(all.bins[0].accuracy, 1)
    expect(plain.bins[0].accuracy).toBeLessThan(0.6)
  })

  it('an answer that is taken back leaves nothing', () => {
    const reliability = new Reliability()
    reliability.add(1, true, 4)
    expect(reliability.bins[9]).toEqual({ from: 0.9, to: 1, weight: 4, confidence: 1, accuracy: 1 })
    reliability.add(1, true, -4)
    expect(reliability.bins[9].weight).toBe(0)
  })
})

describe('Recalibration', () => {
  it('makes overconfident values mean what they say, also after a drift', () => {
    const random = new Random(2, 'recalibration')
    const recalibration = new Recalibration()
    const [raw, mended] = [new Reliability(), new Reliability()]
    for (let t = 0; t < 20_000; t++) {
      const confidence = 0.5 + random.uniform() / 2
      const right = random.uniform() < (t < 10_000 ? confidence - 0.2 : confidence * confidence)
      raw.add(confidence, right)
      mended.add(recalibration.calibrate(confidence), right)
      recalibration.learn(confidence, right)
    }
    expect(raw.expectedError).toBeGreaterThan(0.1)
    expect(mended.expectedError).toBeLessThan(0.02)
  })

  it('believes the raw value before any answer', () => {
    for (const raw of [0, 0.31, 1]) expect(new Recalibration().calibrate(raw)).toBeCloseTo(raw, 12)
  })

  it('looks at twentieths of confidence by themselves, of which 1 belongs to the last', () => {
    const recalibration = new Recalibration()
    for (let i = 0; i < 5; i++) recalibration.learn(1, false)
    expect(recalibration.calibrate(0.96)).toBeCloseTo((5 * 0.96) / (5 + (1 - 0.999 ** 5) / 0.001), 12)
    expect(recalibration.calibrate(0.94)).toBeCloseTo(0.94, 12)
  })

  it('goes on from a saved state', () => {
    const recalibration = new Recalibration()
    for (let i = 0; i < 9; i++) recalibration.learn(0.7, i % 3 > 0)
    const copy = new Recalibration()
    copy.transfer(new StateReader(stateBytes(recalibration)))
    expect(copy.calibrate(0.7)).toBe(recalibration.calibrate(0.7))
  })
})
