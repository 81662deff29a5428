import { dive } from '@pb-oel/core'
import { describe, expect, it } from 'vitest'
import { PROMISE_SETTINGS, summarisePromises, tryPromises } from './promise-trial.ts'

const stream = dive({ samples: 500, seed: 2 })

describe('tryPromises', () => {
  it.each(PROMISE_SETTINGS.map((setting) => [setting.name, setting] as const))(
    'the promises hold: %s',
    (_, setting) => {
      const runs = [1, 2, 3].map((seed) => tryPromises(stream, setting, { method: 'pb-oel-plus', seed, every: 50 }))
      const row = summarisePromises(setting.name, runs)
      expect(row).toMatchObject({ runs: 3, regretViolations: 0, certificateViolations: 0 })
      expect(row.certified).toBeLessThanOrEqual(row.accuracy)
      if (setting.wrong === undefined) expect(row.regretBound).toBeGreaterThanOrEqual(row.regret as number)
      else expect(row.regretBound).toBeUndefined()
    },
  )

  it('where everything is answered at once the certificate is the accuracy, also of a rival', () => {
    const { accuracy, certified, regretBound } = tryPromises(stream, PROMISE_SETTINGS[0], { method: 'arf', seed: 1 })
    expect(certified).toBeCloseTo(accuracy, 12)
    expect(regretBound).toBeUndefined()
  })
})
