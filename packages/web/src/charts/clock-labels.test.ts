import { describe, expect, it } from 'vitest'
import { axisNumber } from './axis-number.ts'
import { clockLabels } from './clock-labels.ts'

const at = (words: string) => new Date(`2026-11-${words}`).getTime()
const HOUR = 3_600_000

describe('labels of axes', () => {
  it('a new day shows its date, the hours around it their time', () => {
    expect(clockLabels([at('15T18:00'), at('15T21:00'), at('16T00:00'), at('16T03:00')], 3 * HOUR)).toEqual([
      '18:00',
      '21:00',
      'Nov 16',
      '03:00',
    ])
  })

  it('steps of days are dates, with the year at the beginning', () => {
    expect(clockLabels([at('14T00:00'), at('16T00:00')], 48 * HOUR)).toEqual(['Nov 14, 2026', 'Nov 16'])
  })

  it('steps below a second tell milliseconds', () => {
    expect(clockLabels([at('15T18:00:01.200'), at('15T18:00:01.400')], 200)).toEqual(['00:01.200', '00:01.400'])
  })

  it.each([
    [[1013.2, 1013.25, 1013.3], 0.05],
    [[10_000, 10_250, 10_500, 10_750], 250],
    [[1_000_000, 1_250_000, 1_500_000], 250_000],
    [[100_000, 100_002, 100_004], 2],
    [[0, 2.5, 5, 7.5], 2.5],
    [[-0.0002, 0, 0.0002], 0.0002],
  ])('%j, %d apart, are told apart', (values, step) => {
    const labels = values.map((value) => axisNumber(value, step))
    expect(new Set(labels).size, labels.join()).toBe(values.length)
  })

  it.each([
    [0, 1, '0'],
    [-3, 1, '−3'],
    [12_500, 500, '12.5k'],
    [2.5, 2.5, '2.5'],
  ])('%d is %s', (value, step, words) => expect(axisNumber(value, step)).toBe(words))
})
