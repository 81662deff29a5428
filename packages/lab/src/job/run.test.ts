import {
  defineMethod,
  dive,
  EpsilonGreedyAssessor,
  type EpsilonGreedyOptions,
  explorationRate,
  type Feedback,
  type FeedbackMode,
  type Method,
  OptionError,
  RIVAL_OPTIONS,
  varianceFactor,
} from '@pb-oel/core'
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
    const start = performance.now()
    const result = await runOnce(
      STREAM,
      { method: 'rvfl', rho: 1, seed: 1 },
      { onProgress: ({ done }) => steps.push(done) },
    )
    expect(result.labels).toBe(3000)
    expect((1 - result.accuracy) * 3000).toBeCloseTo(result.misses + result.falseAlarms, 6)
    expect(steps).toEqual([1000, 2000, 3000])
    // The seconds of the run are within those of the call.
    expect(3000 / result.samplesPerSecond).toBeLessThanOrEqual((performance.now() - start) / 1000)
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

  it('gives a method its task, the first sample of each level, and the answers as they were asked for', async () => {
    const seen: { given: object; modes: string[]; taught: number[][]; heard: Feedback[] }[] = []
    class Spy extends EpsilonGreedyAssessor {
      readonly seen = { given: {}, modes: [] as string[], taught: [] as number[][], heard: [] as Feedback[] }

      constructor(options: EpsilonGreedyOptions) {
        super(spy, options)
        const { warmUp: _, ...given } = options
        this.seen.given = given
        seen.push(this.seen)
        this.warmUp()
      }

      override assess(x: Float64Array, mode?: FeedbackMode) {
        this.seen.modes.push(mode ?? 'none')
        return super.assess(x, mode)
      }

      override learn(id: number, feedback: Feedback) {
        this.seen.heard.push({ ...feedback })
        super.learn(id, feedback)
      }

      protected predict(_: Float64Array, out: Float64Array) {
        out.fill(1 / 3)
      }

      protected teach(x: Float64Array, level: number, id: number) {
        if (id < 0) this.seen.taught.push([...x, level])
      }

      protected transferModel() {}
    }
    const spy: Method = defineMethod({
      ...{ name: 'spy', title: 'spy', role: 'rival', summary: 'notes what it is given', options: RIVAL_OPTIONS },
      make: (options) => new Spy(options as EpsilonGreedyOptions),
    })
    const stream = dive({ samples: 600 })
    const spied = async (job: Partial<Parameters<typeof runOnce>[1]>) => {
      await runOnce(stream, { method: './spy.ts', rho: 0.3, seed: 4, ...job }, {}, { methods: { './spy.ts': spy } })
      return seen[seen.length - 1]
    }
    const { given, modes, taught, heard } = await spied({ options: { epsilon: 0 } })
    expect(given).toEqual({ channels: 24, levels: 3, seed: 4, epsilon: 0 })
    expect(taught).toEqual(firstOfEachLevel(stream).map(({ x, level }) => [...x, level]))
    const full = modes.filter((mode) => mode === 'full').length
    expect(Math.abs(full - 180)).toBeLessThan(60)
    expect(modes.filter((mode) => mode === 'partial')).toHaveLength(600 - full)
    // What is promised is given: a label in these rounds, right or wrong in all others.
    expect(heard.map(({ kind }) => (kind === 'label' ? 'full' : 'partial'))).toEqual(modes)
    expect((await spied({ seed: 5 })).modes).not.toEqual(modes)
    const asked = await spied({ people: { ask: { strategy: 'random', perThousand: 300 } } })
    expect(new Set(asked.modes)).toEqual(new Set(['unknown']))
    expect(Math.abs(asked.heard.length - 180)).toBeLessThan(60)
    expect(new Set(asked.heard.map(({ asked }) => asked))).toEqual(new Set([0.3]))
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
