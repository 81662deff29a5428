import { dive, explorationRate, OptionError, varianceFactor } from '@pb-oel/core'
import { describe, expect, it } from 'vitest'
import { mean, sampleStd } from '../statistics/summary.ts'
import { openStream } from '../streams/open-stream.ts'
import { describeStream } from '../streams/stream-info.ts'
import { runOnce } from './run.ts'
import { firstOfEachLevel, warmUpOf } from './warm-up.ts'

const STREAM = dive({ samples: 3000 })

describe('runOnce', () => {
  it('gives the same figures for the same seed, others for another', async () => {
    const settings = { method: 'pb-oel', rho: 0.1, seed: 4, options: { experts: 3 } }
    const { samplesPerSecond: _, ...first } = await runOnce(STREAM, settings)
    const { samplesPerSecond: __, ...second } = await runOnce(STREAM, settings)
    expect(second).toEqual(first)
    expect((await runOnce(STREAM, { ...settings, seed: 5 })).accuracy).not.toBe(first.accuracy)
  })

  it('counts labels, misses and false alarms, and reports progress', async () => {
    const steps: number[] = []
    const result = await runOnce(
      STREAM,
      { method: 'rvfl', rho: 1, seed: 1 },
      { onProgress: ({ done }) => steps.push(done) },
    )
    expect(result.labels).toBe(3000)
    expect((1 - result.accuracy) * 3000).toBeCloseTo(result.misses + result.falseAlarms, 6)
    expect(steps).toEqual([1000, 2000, 3000])
    expect(result.bound).toMatchObject({ applies: false, value: null })
  })

  it('stands above its bound for each of the three policies', async () => {
    for (const method of ['pb-oel', 'pb-oel-standard', 'pb-oel-scaled']) {
      for (const rho of [0, 0.5, 1]) {
        const { accuracy, bound } = await runOnce(STREAM, { method, rho, seed: 1, options: { experts: 4 } })
        expect(bound.applies).toBe(true)
        expect(accuracy).toBeGreaterThan(bound.value as number)
        expect(bound.regret).toBeCloseTo((bound.ultimate as number) - accuracy, 12)
      }
    }
  })

  it.each([0, 0.5])(
    'charges the regret that Theorem 1 allows for the share of labels there was, ρ = %f',
    async (rho) => {
      const settings = { method: 'pb-oel-standard', rho, seed: 1, options: { experts: 4 } }
      const { bound, labels } = await runOnce(STREAM, settings)
      const setting = { levels: 3, experts: 4, rho }
      const gamma = explorationRate(setting, 1, 3000)
      // K ln N/γ + γ·B_ρ·T, per round.
      const allowed = (3 * Math.log(4)) / gamma / 3000 + gamma * varianceFactor(labels / 3000, 3)
      expect((bound.ultimate as number) - (bound.value as number)).toBeCloseTo(allowed, 12)
    },
  )

  it('gives a method the labelled samples that it wants before it starts', async () => {
    expect(warmUpOf(STREAM, 7)).toHaveLength(7)
    expect(warmUpOf(STREAM, undefined)).toEqual(firstOfEachLevel(STREAM))
    const paper = { method: 'cpssds', rho: 0, seed: 1, options: { compat: 'paper', epsilon: 0 } }
    const { accuracy } = await runOnce(STREAM, paper)
    // Without any label it goes on with what the first 200 samples taught it.
    expect(accuracy).not.toBe((await runOnce(STREAM, { ...paper, options: { ...paper.options, chunk: 400 } })).accuracy)
  })

  it('stops when told to', async () => {
    const controller = new AbortController()
    const run = runOnce(
      STREAM,
      { method: 'rvfl', rho: 1, seed: 1 },
      { signal: controller.signal, onProgress: () => controller.abort(new Error('enough')) },
    )
    await expect(run).rejects.toThrow('enough')
  })

  it('refuses a share outside 0 … 1 and an unknown method', async () => {
    await expect(runOnce(STREAM, { method: 'pb-oel', rho: 2, seed: 1 })).rejects.toThrow(OptionError)
    await expect(runOnce(STREAM, { method: 'magic', rho: 0, seed: 1 })).rejects.toThrow('one of pb-oel')
  })
})

describe('small things', () => {
  it('the warm-up set is the first sample of each level', () => {
    const first = firstOfEachLevel(STREAM)
    expect(first.map((sample) => sample.level).sort()).toEqual([0, 1, 2])
    const seen = new Set<number>()
    const expected: number[][] = []
    for (const { x, level } of STREAM) if (!seen.has(level) && seen.add(level)) expected.push([...x])
    expect(first.map((sample) => sample.x)).toEqual(expected)
  })

  it('mean and sample standard deviation', () => {
    expect(mean([1, 2, 6])).toBe(3)
    expect(sampleStd([1, 2, 6])).toBeCloseTo(Math.sqrt(7), 12)
    expect(sampleStd([5])).toBe(0)
  })

  it('describes a stream and warns of persistence', () => {
    const info = describeStream(openStream('dive:samples=3000'))
    expect(info.samples).toBe(3000)
    expect(info.levels.reduce((sum, { count }) => sum + count, 0)).toBe(3000)
    expect(info.channels).toHaveLength(24)
    expect(info.noChange).toBeGreaterThan(0.95)
    expect(info.warnings[0]).toContain('labels persist')
  })
})
