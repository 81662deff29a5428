import { dive } from '@pb-oel/core'
import { describe, expect, it } from 'vitest'
import { summarisePromises } from './promise-row.ts'
import { brokenBySetting, PROMISE_SETTINGS, REPORT_SETTINGS, settingsNamed } from './promise-setting.ts'
import { tryPromises } from './promise-trial.ts'

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
    const run = tryPromises(dive({ samples: 8000 }), atOnce, { method: 'pb-oel-plus', seed: 1 })
    expect(run.falseFalls).toBeLessThanOrEqual(run.falls)
  })

  it('reliability counts every sample', () => {
    const { reliability, rawReliability } = tryPromises(stream, atOnce, { method: 'pb-oel-plus', seed: 1 })
    for (const bins of [reliability, rawReliability]) expect(bins.reduce((sum, bin) => sum + bin.weight, 0)).toBe(500)
  })
})

describe('settings', () => {
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
