import { describe, expect, it } from 'vitest'
import { detectorTable } from './detector-bench.ts'

describe('detectorTable', () => {
  const rows = detectorTable()
  const row = (name: string) => rows.find(({ detector }) => detector === name) ?? expect.fail(`no ${name}`)

  it('keeps the detectors that have a level within it: that share of the values or less', () => {
    expect(row('hddm-a').falseAlarmsPer10k).toBeLessThanOrEqual(0.001 * 10_000)
    expect(row('hddm-w').falseAlarmsPer10k).toBeLessThanOrEqual(0.001 * 10_000)
    expect(row('adwin').falseAlarmsPer10k).toBeLessThanOrEqual((0.002 * 10_000) / 32)
    expect(row('adwin clock=1').falseAlarmsPer10k).toBeLessThanOrEqual(0.002 * 10_000)
    expect(row('kswin').falseAlarmsPer10k).toBeLessThanOrEqual(0.005 * 10_000)
  })

  it('sees a jump of the error rate from 0.1 to 0.5 within 200 values, and a slide later', () => {
    for (const { detector, delayAbrupt, delayGradual, missed } of rows) {
      expect(delayAbrupt, detector).toBeLessThan(200)
      expect(delayGradual, detector).toBeGreaterThan(delayAbrupt)
      // A window of 100 values is too short to see a slide over 1000.
      if (detector !== 'kswin')
        expect({ detector, missed, seen: delayGradual < 1000 }).toEqual({ detector, missed: 0, seen: true })
    }
  })

  it('sees more with a check at every value than at every 32nd', () => {
    expect(row('adwin clock=1').delayAbrupt).toBeLessThanOrEqual(row('adwin').delayAbrupt)
  })
})
