import { type Assessment, dive, type Stream } from '@pb-oel/core'
import { describe, expect, it } from 'vitest'
import { summarisePromises } from './promise-row.ts'
import {
  brokenBySetting,
  PROMISE_SETTINGS,
  type PromiseSetting,
  REPORT_SETTINGS,
  settingsNamed,
} from './promise-setting.ts'
import { tryPromises } from './promise-trial.ts'
import { PromiseTruth } from './promise-truth.ts'

const stream = dive({ samples: 500, seed: 2 })
const [atOnce] = PROMISE_SETTINGS

describe('tryPromises', () => {
  it.each(PROMISE_SETTINGS.map((setting) => [setting.name, setting] as const))(
    'the promises hold or say that they do not apply: %s',
    (_, setting) => {
      const runs = [1, 2, 3].map((seed) => tryPromises(stream, setting, { method: 'pb-oel-plus', seed }))
      const row = summarisePromises(setting, runs)
      expect(row).toMatchObject({ runs: 3, regretViolations: 0, refitViolations: 0, certificateViolations: 0 })
      const { regret, certificate } = brokenBySetting(setting)
      if (certificate === undefined) expect(row.certified).toBeLessThanOrEqual(row.accuracy)
      else expect(row).toMatchObject({ certified: undefined, notApplied: { certificate } })
      if (regret === undefined) expect(row.regretBound).toBeGreaterThanOrEqual(row.regret as number)
      else expect(row).toMatchObject({ regretBound: undefined, regret: undefined, notApplied: { regret } })
      expect(row.curve.samples).toHaveLength(100)
      expect(row.curve.accuracy.at(-1)).toBeCloseTo(row.accuracy, 12)
      expect(row.curve.certified).toHaveLength(certificate === undefined ? 100 : 0)
      expect(row.curve.regretBound).toHaveLength(regret === undefined ? 100 : 0)
    },
  )

  it('where everything is answered at once the certificate is the accuracy, also of a rival', () => {
    const run = tryPromises(stream, atOnce, { method: 'arf', seed: 1 })
    expect(run.certified).toBeCloseTo(run.accuracy, 12)
    expect(run.curve.windowCertified).toEqual(run.curve.windowAccuracy)
    expect(run.regretBound).toBeUndefined()
    expect(summarisePromises(atOnce, [run]).notApplied).toEqual({ regret: 'the method has no experts' })
  })

  it('counts alarms, and as false those raised while the accuracy of the latest samples was kept', () => {
    // Always level 0 but for 300 samples, which the majority assesses wrongly.
    const dip: Stream = {
      ...{ name: 'dip', channels: ['a'], levels: ['safe', 'unsafe'], samples: 9000 },
      *[Symbol.iterator]() {
        for (let t = 0; t < 9000; t++) yield { x: new Float64Array(1), level: t >= 6000 && t < 6300 ? 1 : 0 }
      },
    }
    const falls = (setting: PromiseSetting) => {
      const { falls, falseFalls } = tryPromises(dip, setting, { method: 'majority', seed: 1 })
      return { falls, falseFalls }
    }
    expect(falls(atOnce)).toEqual({ falls: 1, falseFalls: 0 })
    // The alarm comes when all of the latest samples have been assessed rightly again.
    expect(falls({ ...atOnce, answers: { delay: 2000 } })).toEqual({ falls: 1, falseFalls: 1 })
  })

  it('reliability counts every sample', () => {
    const { reliability, rawReliability } = tryPromises(stream, atOnce, { method: 'pb-oel-plus', seed: 1 })
    for (const bins of [reliability, rawReliability]) expect(bins.reduce((sum, bin) => sum + bin.weight, 0)).toBe(500)
  })
})

describe('what is true', () => {
  const seen = (level: number, experts: number[]) =>
    ({ level, experts: Int32Array.from(experts), confidence: 0.75 }) as unknown as Assessment
  const truth = new PromiseTruth()
  // Assessed, safe-side level, truth; the first expert is right three times, the second once.
  for (const [level, safeSideLevel, right, experts] of [
    [0, 0, 1, [1, 0]],
    [1, 2, 1, [1, 0]],
    [2, 2, 1, [0, 1]],
    [0, 1, 1, [1, 2]],
  ] as const) {
    truth.count(seen(level, [...experts]), { safeSideLevel, confidence: 0.5 }, right)
  }

  it('counts misses and safe sides apart, and accuracy and regret over all samples and the latest', () => {
    expect(truth).toMatchObject({ samples: 4, misses: 2, safeSideMisses: 1, safeSideAbove: 2, wrong: 3 })
    expect([truth.accuracy(), truth.accuracy(2), truth.accuracy(99)]).toEqual([0.25, 0, 0.25])
    // Three mistakes against one of the first expert; of the latest two, two against one of either.
    expect(truth.regret()).toBe(0.5)
    expect(truth.regret(2)).toBe(0.5)
    expect(truth.regret(1)).toBe(1)
  })

  it('takes the reliability of what was said and of what was promised apart', () => {
    expect(truth.raw.expectedError).toBeCloseTo(0.75 - 0.25, 12)
    expect(truth.recalibrated.expectedError).toBeCloseTo(0.5 - 0.25, 12)
  })
})

describe('a row of a study', () => {
  it('takes means over runs, and shares of runs in which a promise was broken', () => {
    const run = tryPromises(dive({ samples: 60 }), atOnce, { method: 'pb-oel-plus', seed: 1 })
    const other = { ...run, accuracy: run.accuracy - 0.5, misses: 0.5, safeSideMisses: 0.25, falls: 3, falseFalls: 1 }
    const broken = { ...other, regretViolated: true, certified: 0.5, regretBound: 0.5 }
    const runs = [run, run, broken, { ...broken, certificateViolated: true, refitViolated: true }]
    const row = summarisePromises(atOnce, runs)
    expect(row).toMatchObject({ runs: 4, regretViolations: 0.5, certificateViolations: 0.25, refitViolations: 0.25 })
    expect(row.accuracy).toBeCloseTo(run.accuracy - 0.25, 12)
    expect(row.misses).toBeCloseTo((run.misses + 0.5) / 2, 12)
    expect(row.safeSideMisses).toBeCloseTo((run.safeSideMisses + 0.25) / 2, 12)
    expect([row.falls, row.falseFalls]).toEqual([(run.falls + 3) / 2, (run.falseFalls + 1) / 2])
    expect(row.certified).toBeCloseTo(((run.certified as number) + 0.5) / 2, 12)
    expect(row.reliability.map(({ weight }) => weight)).toEqual(run.reliability.map(({ weight }) => weight))
    expect(row.reliability.map(({ accuracy }) => accuracy)).toEqual(run.reliability.map(({ accuracy }) => accuracy))
    expect(row.curve.accuracy).toEqual(run.curve.accuracy)
    // A promise that one run does not have, the row does not have.
    expect(summarisePromises(atOnce, [run, { ...run, certified: undefined }]).certified).toBeUndefined()
  })
})

describe('settings', () => {
  it('are what their names say', () => {
    const found = Object.fromEntries(PROMISE_SETTINGS.map(({ id, name, ...setting }) => [id, setting]))
    expect(found).toEqual({
      'at-once': {},
      ...Object.fromEntries([20, 200, 1000].map((delay) => [`late-${delay}`, { answers: { delay } }])),
      heavy: { answers: { delay: { law: 'heavy', mean: 100 } } },
      'late-wrong': { answers: { lateWhenWrong: 300 } },
      'late-right': { answers: { lateWhenRight: 300 } },
      'never-wrong': { answers: { skipWhenWrong: 1 } },
      skipped: { answers: { missing: 0.5 } },
      volunteered: { answers: { volunteer: 0.5 } },
      'checked-1': { ask: { strategy: 'random', perThousand: 10 } },
      'checked-2': { ask: { strategy: 'random', perThousand: 20 } },
      'checked-5': { ask: { strategy: 'random', perThousand: 50 } },
      'checked-10': { ask: { strategy: 'random', perThousand: 100 } },
      'learned-2': { check: 0.02 },
      'learned-5': { check: 0.05 },
      'margin-5': { ask: { strategy: 'margin', perThousand: 50 } },
      'margin-5-late-200': { ask: { strategy: 'margin', perThousand: 50 }, answers: { delay: 200 } },
      'wrong-known': { answers: { wrong: 0.05 }, wrong: 0.05 },
      'wrong-at-most': { answers: { wrong: 0.05 }, wrongAtMost: 0.1 },
      'wrong-untold': { answers: { wrong: 0.05 } },
      unasked: { answers: { skipWhenWrong: 1 }, unasked: true },
    })
  })

  it('are known by short names, each once', () => {
    const ids = PROMISE_SETTINGS.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(settingsNamed(['heavy', 'at-once']).map(({ id }) => id)).toEqual(['at-once', 'heavy'])
    expect(REPORT_SETTINGS).toHaveLength(10)
  })

  it('an unknown one is refused with those that are known', () => {
    expect(() => settingsNamed(['late-3'])).toThrow(/late-3.*at-once, late-20/)
  })
})
