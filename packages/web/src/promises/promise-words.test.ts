import type { Certificate, Configuration, Guarantee, PromisesReport } from '@pb-oel/protocol'
import { describe, expect, it } from 'vitest'
import { promiseWords } from './promise-words.ts'

const configuration = { levels: ['safe', 'warning', 'danger'], promises: { falseAlarmEvery: 100_000 } } as Configuration

const certificate = (certified: number, rest: Partial<Certificate> = {}): Certificate => ({
  ...{ samples: 20_000, checks: 412, wrong: 3, confidence: 0.95, estimate: 0.9931 },
  ...{ certified, wrongAtMost: Math.round((1 - certified) * 20_000) },
  ...rest,
})
const bin = { from: 0.9, to: 1, weight: 900, confidence: 0.95, accuracy: 0.96 }

function report(change: Partial<PromisesReport> = {}): PromisesReport {
  const outcomes = { weight: 20_000, accuracy: 0.99, misses: 0.001, falseAlarms: 0.009, wrong: 0 }
  return {
    ...{ trained: true, answersPerLevel: [300, 60, 52], answersNeeded: 5, since: 0, window: 3600 },
    ...{ estimated: true, outcomes, levels: [outcomes, outcomes, outcomes], missTarget: 0.005 },
    accuracy: certificate(0.98119),
    windowAccuracy: certificate(0.9749, { samples: 3600, checks: 74 }),
    misses: certificate(0.9951),
    windowMisses: certificate(0.99, { samples: 3600, checks: 74 }),
    ...{ reliability: [bin], calibrationError: 0.0042, rawCalibrationError: 0.031 },
    ...{ falls: 0, keptAccuracy: 0.9712 },
    ...change,
  }
}

const bound = (value: number, samples = 20_000) => ({
  ...{ value, samples, confidence: 0.95 },
  terms: { against: 0.004, inFavour: -0.001, open: 0.0005, chance: 0.002 },
})
const guarantee = (change: Partial<Guarantee> = {}): Guarantee => ({
  ...{ applies: false, reason: 'answers were late', bestExpertAccuracy: 0.99 },
  promises: report(),
  regretWithConfidence: { ...bound(0.0055), window: bound(0.0102, 3600) },
  ...change,
})

const said = (given: Guarantee) => Object.fromEntries(promiseWords(given, configuration).map((one) => [one.key, one]))

describe('promises in words', () => {
  it('says each in one sentence, overall and for the latest samples, rounded against us', () => {
    const { accuracy, misses, regret, calibration, fall, ...rest } = said(guarantee())
    expect(accuracy.sentence).toBe(
      'At least 98.1 % of all assessments were right, with 95 % confidence, from 412 checks.',
    )
    expect(accuracy.latest).toBe('Of the latest 3,600: at least 97.4 %.')
    expect(misses.sentence).toBe(
      'At most 0.5 % of all samples were assessed safer than they are, with 95 % confidence, from 412 checks.',
    )
    expect(misses.latest).toBe('Of the latest 3,600: at most 1.0 %.')
    expect(rest['safe-side'].sentence).toBe(
      'At most 0.5 % of samples are less safe than the safe-side level says, in the long run.',
    )
    expect(regret.sentence).toBe(
      'No expert was better by more than 0.6 % of samples, with 95 % confidence, whatever the delays.',
    )
    expect(regret.latest).toBe('Over the latest 3,600: by at most 1.02 %.')
    expect(calibration.sentence).toContain('off by 0.4 percentage points on average')
    expect(fall.sentence).toBe('An alarm is raised when fewer than 97.1 % of assessments are right.')
    expect(rest.bound).toBeUndefined()
  })

  it('says how long the latest samples took, and what holds since a network was last refitted', () => {
    const sinceRefit = { ...bound(0.0201, 450), refits: 7 }
    const regretWithConfidence = { ...bound(0.0055), window: bound(0.0102, 3600), sinceRefit }
    const { accuracy, misses, regret } = said(guarantee({ secondsPerSample: 0.5, regretWithConfidence }))
    expect(accuracy.latest).toBe('Of the latest 3,600 (about 30 min 0 s): at least 97.4 %.')
    expect(misses.latest).toBe('Of the latest 3,600 (about 30 min 0 s): at most 1.0 %.')
    expect(regret.latest).toBe(
      'Over the latest 3,600 (about 30 min 0 s): by at most 1.02 %. ' +
        'Since a network was last refitted, 450 samples ago (about 3 min 45 s): by at most 2.01 %.',
    )
    expect(regret.terms).toContainEqual(['samples', '20,000 (latest: 3,600; since refit: 450)'])
    const poor = { ...regretWithConfidence, sinceRefit: { ...bound(0.7, 3), refits: 7 } }
    expect(said(guarantee({ regretWithConfidence: poor })).regret.latest).toBe(
      'Over the latest 3,600: by at most 1.02 %.',
    )
  })

  it('tells what each is made of', () => {
    const { accuracy, regret } = said(guarantee())
    expect(accuracy.terms).toContainEqual(['checks', '412 (latest: 74)'])
    expect(accuracy.terms).toContainEqual(['wrong or not answered yet', '3 (latest: 3)'])
    expect(regret.terms).toContainEqual(['said right where an expert differed', '−0.10 % (latest: −0.10 %)'])
    for (const { conditions } of Object.values(said(guarantee()))) expect(conditions.length).toBeGreaterThan(0)
  })

  it('says so when every expert was beaten, and one check in the singular', () => {
    const beaten = { ...bound(-0.0231), window: bound(-0.01) }
    const one = report({ accuracy: certificate(0.5, { checks: 1 }) })
    const { regret, accuracy } = said(guarantee({ regretWithConfidence: beaten, promises: one }))
    expect(regret.sentence).toMatch(/^The system beat every expert by at least 2\.3 % of samples/)
    expect(accuracy.sentence).toContain('from 1 check.')
  })

  it('shows nothing that says less than guessing between three levels', () => {
    const poor = report({
      accuracy: certificate(1 / 3),
      misses: certificate(2 / 3),
      missTarget: 0.4,
      reliability: [{ ...bin, weight: 19 }],
      keptAccuracy: 1 / 3,
    })
    const nothing = guarantee({
      promises: poor,
      regretWithConfidence: { ...bound(0.66), window: bound(0.66) },
      ...{ applies: true, value: 1 / 3 },
    })
    expect(promiseWords(nothing, configuration)).toEqual([])
    const latest = report({ windowAccuracy: certificate(0.3), windowMisses: certificate(0.6) })
    const regretWithConfidence = { ...bound(0.01), window: bound(0.7) }
    for (const one of promiseWords(guarantee({ promises: latest, regretWithConfidence }), configuration)) {
      expect(one.latest, one.key).toBeUndefined()
      expect(one.terms.flat().join()).not.toContain('latest')
    }
  })

  it('promises nothing while the system is untrained', () => {
    expect(promiseWords(guarantee({ promises: report({ trained: false }) }), configuration)).toEqual([])
  })

  it('speaks for a system without promises by the theorem of its method', () => {
    const old = { applies: true, value: 0.9312, rounds: 500, regret: 0.01, penalty: 0.05 }
    expect(promiseWords(old, configuration).map(({ sentence }) => sentence)).toEqual([
      'The expected accuracy is at least 93.1 %, by the theorem of the method.',
    ])
  })
})
