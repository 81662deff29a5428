import { Asker, dive, OptionError, PbOelPlus } from '@pb-oel/core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { plan } from '../experiment/experiment.ts'
import { jobKey } from './fingerprint.ts'
import type { People } from './people.ts'
import { runOnce } from './run.ts'

const STREAM = dive({ samples: 2000 })
const SMALL = { experts: 3, groups: 2 }

const run = (people: People) => runOnce(STREAM, { method: 'pb-oel-plus', rho: 0, seed: 1, options: SMALL, people })

describe('runOnce with people as they are', () => {
  it('learns late, and less, from late and missing answers', async () => {
    const prompt = await run({})
    const late = await run({ answers: { delay: 300 } })
    const missing = await run({ answers: { missing: 0.9 } })
    expect(prompt).not.toHaveProperty('answers')
    expect(late.answers).toBe(1700)
    // The bound of the regret holds for late answers too, and says what they may have cost.
    expect(late.bound.applies).toBe(true)
    expect(late.bound.value).toBeLessThanOrEqual(late.accuracy)
    const bound = late.bound.regretWithConfidence?.value as number
    expect(bound).toBeGreaterThanOrEqual((late.bound.bestExpert as number) - late.accuracy)
    expect(bound).toBeGreaterThan(prompt.bound.regretWithConfidence?.value as number)
    expect(missing.answers).toBeLessThan(300)
    expect(late.accuracy).toBeLessThan(prompt.accuracy)
    expect(missing.accuracy).toBeLessThan(prompt.accuracy)
  })

  it('keeps to the budget of questions', async () => {
    const asked = await run({ ask: { strategy: 'disagreement', perThousand: 100 } })
    expect(asked.answers).toBeLessThanOrEqual(201)
    expect(asked.answers).toBeGreaterThan(150)
    expect(asked.labels).toBe(0)
    const labels = await run({ ask: { perThousand: 100, question: 'label' } })
    expect(labels.labels).toBe(labels.answers)
    expect(labels.labels).toBeLessThanOrEqual(201 / 3)
  })

  it('tells the method with which probability each sample was asked about, and the asker each answer', async () => {
    const coins = vi.spyOn(PbOelPlus.prototype, 'noteCoin')
    const heard = vi.spyOn(Asker.prototype, 'hear')
    onTestFinished(() => void vi.restoreAllMocks())
    const { answers } = await run({ ask: { strategy: 'random', perThousand: 100 } })
    const told = coins.mock.calls.map(([, coin]) => coin)
    expect(told).toHaveLength(2000)
    expect(new Set(told.map(({ probability }) => probability))).toEqual(new Set([0.1]))
    expect(told.filter(({ asked }) => asked)).toHaveLength(answers as number)
    expect(heard.mock.calls).toHaveLength(answers as number)
  })

  it('asking about everything is the same as not choosing', async () => {
    const { samplesPerSecond: _, answers, ...chosen } = await run({ ask: { strategy: 'random', perThousand: 1000 } })
    const { samplesPerSecond: __, ...all } = await run({})
    expect(answers).toBe(2000)
    expect(chosen).toEqual(all)
  })

  it('counts costs and what was passed on', async () => {
    const { cost, misses, falseAlarms, escalated, accuracyKept, accuracy } = await run({
      costs: [
        [0, 1, 1],
        [7, 0, 1],
        [7, 7, 0],
      ],
      escalateAbove: 0.2,
    })
    expect(cost).toBeCloseTo((7 * misses + falseAlarms) / 2000, 9)
    expect(escalated).toBeGreaterThan(0)
    expect(escalated).toBeLessThan(0.5)
    expect(accuracyKept).toBeGreaterThan(accuracy)
    const careful = await run({ costs: 10 })
    expect(careful.cost).toBeGreaterThan(0)
    // It decides by what mistakes cost, too.
    expect(careful.misses).toBeLessThan((await run({})).misses)
  })

  it('refuses what it does not know', async () => {
    await expect(run({ answers: { speed: 1 } as object })).rejects.toThrow(OptionError)
    await expect(run({ ask: { perThousand: 0 } })).rejects.toThrow('perThousand')
    await expect(run({ escalateAbove: 2 })).rejects.toThrow('escalateAbove')
  })
})

describe('an experiment with people', () => {
  it('names its results apart from those without', () => {
    const experiment = { streams: ['dive'], methods: ['pb-oel-plus'], rho: [0], repeats: 1 }
    const [plain] = plan(experiment)
    const [asking] = plan({ ...experiment, people: { ask: { strategy: 'margin' as const } } })
    expect(plain.job).not.toHaveProperty('people')
    expect(asking.job.people).toEqual({ ask: { strategy: 'margin' } })
    expect(jobKey(asking.job)).not.toBe(jobKey(plain.job))
  })
})
