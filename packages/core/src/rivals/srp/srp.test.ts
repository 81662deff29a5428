import { describe, expect, it } from 'vitest'
import { OptionError } from '../../errors.ts'
import { Random } from '../../math/random.ts'
import { accuracy, flipStream, runWithLabels, sameBytes } from '../testing/flip.ts'
import { Srp, type SrpOptions } from './srp.ts'

const make = (options: Partial<SrpOptions> = {}) => new Srp({ channels: 2, levels: 2, epsilon: 0, ...options })

/** The flip stream with channels of noise before and after. */
function* wide(samples: number, flip: number, channels: number): Generator<{ x: Float64Array; level: number }> {
  const random = new Random(4, 'noise')
  for (const { x, level } of flipStream(samples, flip)) {
    const noise = Array.from({ length: channels - 2 }, () => random.normal())
    yield { x: Float64Array.from([x[0], ...noise, x[1]]), level }
  }
}

describe('Srp', () => {
  it('gives each tree its share of the channels', () => {
    const subspaces = make({ channels: 24, levels: 3 }).subspaces()
    expect(subspaces.length).toBe(10)
    for (const subspace of subspaces) expect(new Set(subspace).size).toBe(14)
    expect(new Set(make({ channels: 3, members: 100 }).subspaces().map(String)).size).toBe(3)
    // Nothing to leave out of two channels, and nothing is left out when only resampling.
    for (const options of [{}, { channels: 9, training: 'resampling' as const }]) {
      for (const subspace of make(options).subspaces()) expect(subspace.length).toBe(options.channels ?? 2)
    }
  })

  it('learns a stationary concept to 95 %', () => {
    const run = runWithLabels(make(), flipStream(6000, 6000))
    expect(accuracy(run, 0, 6000)).toBeGreaterThan(0.95)
    expect(run.drifts.length).toBeLessThanOrEqual(2)
  })

  it('recovers within 2000 samples when the concept is turned round', () => {
    const run = runWithLabels(make(), flipStream(5000, 3000))
    expect(run.drifts.filter(([, at]) => at < 3000).length).toBeLessThanOrEqual(1)
    expect(new Set(run.drifts.map(([member]) => member)).size).toBe(10)
    expect(accuracy(run, 4000, 5000)).toBeGreaterThan(0.95)
  })

  it('draws new channels for a tree that drifted without a warning', () => {
    const srp = make({ channels: 12, members: 5, background: false })
    const before = srp.subspaces()
    const run = runWithLabels(srp, wide(2500, 1200, 12))
    const replaced = [...new Set(run.drifts.map(([member]) => member))]
    expect(replaced.length).toBeGreaterThan(0)
    const after = srp.subspaces()
    for (const member of replaced) {
      expect(after[member]).not.toEqual(before[member])
      expect(after[member].length).toBe(7)
      expect(new Set(after[member]).size).toBe(7)
      expect(after[member].every((channel) => channel >= 0 && channel < 12)).toBe(true)
    }
  })

  it('leaves out the last channels in the beginning as scikit-multiflow and River do', () => {
    for (const compat of ['skm', 'river'] as const) {
      const used = make({ channels: 8, members: 3, compat }).subspaces()
      expect(Math.max(...used.flatMap((subspace) => [...subspace]))).toBe(6)
    }
    const canonical = Array.from({ length: 20 }, (_, seed) => make({ channels: 8, members: 3, seed }).subspaces())
    expect(Math.max(...canonical.flat().flatMap((subspace) => [...subspace]))).toBe(7)
  })

  it('varies only the channels when told to', () => {
    // Two members that see the same channels and every sample once are equal: 2 of 3 channels, 6 members, 3 subspaces.
    const srp = make({ channels: 3, members: 6, training: 'subspaces', driftDetection: false })
    const subspaces = srp.subspaces().map(String)
    for (const { x, level } of wide(400, 400, 3)) {
      const { id, experts } = srp.assess(x, 'full')
      for (let i = 3; i < 6; i++) expect(experts[i]).toBe(experts[subspaces.indexOf(subspaces[i])])
      srp.learn(id, { kind: 'label', level })
    }
  })

  it('gives the same bits for the same seed, others for another', () => {
    const run = (seed: number) => {
      const srp = make({ channels: 5, seed })
      runWithLabels(srp, wide(500, 300, 5))
      return srp.snapshot()
    }
    expect(sameBytes(run(1), run(1))).toBe(true)
    expect(sameBytes(run(1), run(2))).toBe(false)
  })

  it('goes on from a snapshot with the same bits, also in the middle of a change', () => {
    for (const compat of ['canonical', 'skm', 'river'] as const) {
      const srp = make({ channels: 4, members: 4, compat, driftDelta: 0.01, warningDelta: 0.1 })
      const stream = [...wide(1500, 900, 4)]
      let replaced = 0
      for (const at of [0, 60, 880, 920, 960, 1000, 1100, 1200]) {
        runWithLabels(srp, stream.slice(Math.max(0, at - 60), at))
        const bytes = srp.snapshot()
        const copy = Srp.restore(bytes)
        expect(sameBytes(copy.snapshot(), bytes)).toBe(true)
        const expected = runWithLabels(srp, stream.slice(at, at + 150))
        replaced += expected.drifts.length
        expect(runWithLabels(copy, stream.slice(at, at + 150))).toEqual(expected)
        expect(copy.subspaces()).toEqual(srp.subspaces())
        expect(sameBytes(copy.snapshot(), srp.snapshot())).toBe(true)
      }
      expect(replaced).toBeGreaterThan(0)
    }
  })

  it('learns its warm-up as labels, and carries it in snapshots', () => {
    const samples = [...flipStream(300, 300)]
    const warmUp = samples.map(({ x, level }) => ({ x: [...x], level }))
    const warm = make({ warmUp })
    const taught = make()
    runWithLabels(taught, samples)
    const next = [...flipStream(200, 200, 5)]
    const copy = Srp.restore(warm.snapshot())
    const expected = runWithLabels(taught, next).right
    expect(runWithLabels(warm, next).right).toEqual(expected)
    expect(runWithLabels(copy, next).right).toEqual(expected)
    expect(sameBytes(copy.snapshot(), warm.snapshot())).toBe(true)
  })

  it('refuses wrong options', () => {
    expect(() => make({ subspace: 1.5 })).toThrow(OptionError)
    expect(() => make({ training: 'bagging' as 'patches' })).toThrow(OptionError)
    expect(() => make({ features: 2 } as Partial<SrpOptions>)).toThrow(OptionError)
  })
})
