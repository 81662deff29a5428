import { describe, expect, it } from 'vitest'
import {
  atLeast,
  atMost,
  channelName,
  count,
  duration,
  jumpSize,
  moment,
  percent,
  plural,
  points,
  precise,
  reading,
  stretch,
  sureness,
  time,
  unbroken,
  withUnit,
} from './format.ts'

describe('numbers', () => {
  it.each([
    [percent(0.9312), '93.1 %'],
    [percent(null), '–'],
    [sureness(0.9942), '99 %'],
    [sureness(0.999), '> 99 %'],
    [sureness(null), '–'],
    [atLeast(0.9819), '98.1 %'],
    [atLeast(0.29), '29.0 %'],
    [atLeast(0.99968), '99.96 %'],
    [atLeast(1), '100.0 %'],
    [atMost(0.0051), '0.6 %'],
    [atMost(0.07), '7.0 %'],
    [atMost(0.00082), '0.09 %'],
    [atMost(0), '0.0 %'],
    [atMost(-0.0231), '−2.3 %'],
    [points(0.1, 0.132), '+3.2'],
    [points(0.5, 0.4995), '−0.05'],
    [points(0.5, 0.5), '±0'],
    [duration(4.25), '4.3 s'],
    [duration(200), '3 min 20 s'],
    [duration(7500), '2 h 5 min'],
    [jumpSize(-1_400), '1.4 s'],
    [jumpSize(3_599_999), '1 h 0 min'],
    [jumpSize(-3_600_001), '1 h 0 min'],
    [reading(-12.345), '−12.35'],
    [reading(-0.00012), '−1.20e−4'],
    [reading(3210.7), '3211'],
    [reading(0.001), '0.001'],
    [reading(0.5), '0.500'],
    [reading(1), '1.00'],
    [reading(99.995), '100.00'],
    [reading(123.45), '123.5'],
    [reading(999_999), '999999'],
    [reading(1e6), '1.00e+6'],
    [reading(0), '0.000'],
    [withUnit(-12.4, 'bar'), '−12.40\u202fbar'],
    [withUnit(12.4, undefined), '12.40'],
    [withUnit(Number.NaN, 'bar'), '–'],
    [percent(0.12345, 0), '12 %'],
    [percent(Number.NaN), '–'],
    [sureness(0.995), '> 99 %'],
    [sureness(0.5), '50 %'],
    [duration(-1), '0.0 s'],
    [duration(9.94), '9.9 s'],
    [duration(59.9), '59 s'],
    [duration(60), '1 min 0 s'],
    [duration(86_399), '23 h 59 min'],
    [duration(90_000), '1 d 1 h'],
    [count(1_234_567), '1,234,567'],
    [plural(1, 'alarm', 'alarms'), '1 alarm'],
    [plural(0, 'alarm', 'alarms'), '0 alarms'],
    [channelName('cabin_air_pressure'), 'cabin air pressure'],
    [unbroken('at 5 % and 6 %'), 'at 5\u00a0% and 6\u00a0%'],
  ])('%s', (shown, expected) => expect(shown).toBe(expected))
})

describe('times', () => {
  const at = (words: string) => new Date(words).getTime()
  const midnight = at('2026-01-02T00:00:05.007')

  it('are told in 24 hours, with the date where it is not today, and milliseconds where they matter', () => {
    expect(time(midnight)).toBe('00:00:05')
    expect(time(at('2026-01-02T15:04:05'))).toBe('15:04:05')
    expect(moment(midnight)).toBe('Jan 2, 2026, 00:00:05')
    expect(precise(midnight)).toBe('Jan 2, 2026, 00:00:05.007')
    const now = Date.now()
    expect(precise(now)).toBe(`${time(now)}.${String(now % 1000).padStart(3, '0')}`)
  })

  it('of a stretch have a date each where it crosses midnight, and one where it does not', () => {
    expect(stretch(midnight, at('2026-01-02T01:00:00'))).toBe('Jan 2, 2026, 00:00:05 – 01:00:00')
    expect(stretch(at('2026-01-01T23:59:00'), midnight)).toBe('Jan 1, 2026, 23:59:00 – Jan 2, 2026, 00:00:05')
    const now = Date.now()
    expect(stretch(now, now)).toBe(`${time(now)} – ${time(now)}`)
  })
})
