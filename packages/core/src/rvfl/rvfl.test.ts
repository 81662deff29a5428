import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Random } from '../math/random.ts'
import { createAssessor } from '../methods.ts'
import { Scaler } from '../scaling/scaler.ts'
import { normaliseOutputs } from './confidence.ts'
import { drawInputWeights } from './features.ts'
import { labelTargets, penaltyTargets } from './targets.ts'

describe('normaliseOutputs', () => {
  it('agrees with the golden vectors to 1e-9', () => {
    const { steps } = JSON.parse(readFileSync(new URL('./kernel/golden/rvfl.json', import.meta.url), 'utf8'))
    expect(steps.length).toBeGreaterThan(5)
    for (const step of steps) {
      const raw = Float64Array.from(step.raw)
      for (const rule of ['clip', 'softmax'] as const) {
        const out = new Float64Array(raw.length)
        normaliseOutputs(raw, out, 0, raw.length, rule)
        for (const [k, expected] of step[rule].entries()) expect(Math.abs(out[k] - expected)).toBeLessThan(1e-9)
      }
    }
  })

  it('is a distribution whatever the outputs, uniform when none is positive', () => {
    const raw = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 6 })
    fc.assert(
      fc.property(raw, fc.constantFrom('clip' as const, 'softmax' as const), (raw, rule) => {
        const out = new Float64Array(raw.length)
        normaliseOutputs(Float64Array.from(raw), out, 0, raw.length, rule)
        expect(out.every((p) => p >= 0)).toBe(true)
        expect(out.reduce((a, b) => a + b)).toBeCloseTo(1, 12)
      }),
    )
    const out = new Float64Array(3)
    normaliseOutputs(Float64Array.of(-1, -5, -0.2), out, 0, 3, 'clip')
    expect([...out]).toEqual([1 / 3, 1 / 3, 1 / 3])
  })

  it('shows how softmax compresses a perfect output (K = 3: 0.576)', () => {
    const out = new Float64Array(3)
    normaliseOutputs(Float64Array.of(0, 1, 0), out, 0, 3, 'softmax')
    expect(out[1]).toBeCloseTo(0.576, 3)
  })

  it('leaves what is before and behind its place alone', () => {
    for (const rule of ['clip', 'softmax'] as const) {
      const out = Float64Array.of(7, 7, 7, 7)
      normaliseOutputs(Float64Array.of(9, 0.5, 0.5, 9), out, 1, 2, rule)
      expect([...out]).toEqual([7, 0.5, 0.5, 7])
    }
  })
})

describe('drawInputWeights', () => {
  it.each([100, 10])('makes each group of 10 orthonormal where there are %i channels', (channels) => {
    const { weights } = drawInputWeights(new Random(1, 'w'), channels, 2, 10)
    for (let a = 0; a < 20; a++) {
      for (let b = Math.floor(a / 10) * 10; b <= a; b++) {
        let dot = 0
        for (let i = 0; i < channels; i++) dot += weights[i * 20 + a] * weights[i * 20 + b]
        expect(dot).toBeCloseTo(a === b ? 1 : 0, 10)
      }
    }
    // The first column keeps its direction: only its length changes.
    const random = new Random(1, 'w')
    const drawn = Array.from({ length: channels }, () => Array.from({ length: 10 }, () => random.between(-1, 1))[0])
    const norm = Math.hypot(...drawn)
    for (let i = 0; i < channels; i++) expect(weights[i * 20]).toBeCloseTo(drawn[i] / norm, 12)
  })

  it('leaves the draws alone when there are not, and shares one bias in a group', () => {
    const { weights, biases } = drawInputWeights(new Random(1, 'w'), 3, 2, 4)
    const random = new Random(1, 'w')
    for (let g = 0; g < 2; g++) {
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 4; j++) expect(weights[i * 8 + g * 4 + j]).toBe(random.between(-1, 1))
      }
      const bias = random.between(-1, 1)
      expect([...biases.subarray(g * 4, g * 4 + 4)]).toEqual([bias, bias, bias, bias])
    }
  })
})

describe('Scaler', () => {
  const rows = [Float64Array.of(1, 5), Float64Array.of(3, 5), Float64Array.of(8, 5)]

  it('gives z-scores with population deviation + 0.01, frozen after the warm-up', () => {
    const scaler = new Scaler(2, 'warm-up')
    for (const row of rows) scaler.feed(row, true)
    scaler.feed(Float64Array.of(1000, 1000), false)
    const z = new Float64Array(2)
    scaler.scale(Float64Array.of(8, 6), z)
    const deviation = Math.sqrt(((1 - 4) ** 2 + (3 - 4) ** 2 + (8 - 4) ** 2) / 3)
    expect(z[0]).toBeCloseTo(4 / (deviation + 0.01), 12)
    expect(z[1]).toBeCloseTo(1 / 0.01, 12)
  })

  it('moves with everything learned when running, and not at all for none', () => {
    const running = new Scaler(2, 'running')
    const none = new Scaler(2, 'none')
    for (const row of rows) for (const scaler of [running, none]) scaler.feed(row, false)
    const z = new Float64Array(2)
    running.scale(Float64Array.of(4, 5), z)
    expect(z[0]).toBeCloseTo(0, 12)
    none.scale(Float64Array.of(4, 5), z)
    expect([...z]).toEqual([4, 5])
  })
})

describe('targets', () => {
  it('are one-hot for a label, and the own confidences with ζ in place of a rejected level', () => {
    const out = new Float64Array(6)
    labelTargets(out, 3, 1)
    expect([...out]).toEqual([0, 1, 0, 0, 1, 0])
    penaltyTargets(out, Float64Array.of(0.2, 0.3, 0.5, 0.6, 0.1, 0.3), 3, 2, -0.5)
    expect([...out]).toEqual([0.2, 0.3, -0.5, 0.6, 0.1, -0.5])
  })
})

describe('networks that are watched through rejections', () => {
  /** Two concepts of three levels; the second begins at sample 400. Only right and wrong are told. */
  function play(options: Record<string, unknown>): { noticed: number; right: number } {
    const bare = { members: [], blend: false, ...options }
    const assessor = createAssessor('pb-oel-plus', { channels: 3, levels: 3, seed: 3 }, bare)
    const random = new Random(9, 'rejections')
    let [noticed, right] = [Infinity, 0]
    for (let t = 0; t < 1600; t++) {
      const truth = Math.floor(random.uniform() * 3)
      const place = t < 400 ? truth : (truth + 1) % 3
      const x = Float64Array.from({ length: 3 }, (_, i) => (i === place ? 1 : 0) + 0.1 * random.normal())
      const { id, level, drifts } = assessor.assess(x, 'partial')
      if (t >= 400 && drifts.includes(1)) noticed = Math.min(noticed, t - 400)
      if (t >= 500 && level === truth) right++
      assessor.learn(id, level === truth ? { kind: 'confirm' } : { kind: 'reject' })
    }
    return { noticed, right: right / 1100 }
  }

  it('notice sooner a change that turns every confirmation into a rejection', () => {
    const blind = play({ hearsRejections: false })
    const hearing = play({})
    expect(hearing.noticed).toBeLessThan(60)
    expect(hearing.noticed).toBeLessThan(blind.noticed)
    expect(hearing.right).toBeGreaterThan(0.95)
  })
})
