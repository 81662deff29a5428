import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describe as describeRecord, toCsv, toJsonLines } from './history/describe-record.ts'
import { commandOf } from './review/keys.ts'
import { deviation } from './review/unusual.ts'
import { momentLink, parseRoute, systemLink } from './router.ts'
import { duration, percent, points, reading } from './strings/format.ts'

describe('addresses', () => {
  it.each([
    ['', { view: 'overview' }],
    ['#/', { view: 'overview' }],
    ['#/sign-in', { view: 'sign-in' }],
    ['#/systems/a', { view: 'live', system: 'a' }],
    ['#/systems/a/review', { view: 'review', system: 'a' }],
    ['#/systems/a/at/12', { view: 'moment', system: 'a', event: 12 }],
    ['#/systems/a/at/x', { view: 'unknown' }],
    ['#/systems/a/b', { view: 'unknown' }],
    ['#/systems/%E0%A4%A', { view: 'live', system: '%E0%A4%A' }],
  ])('%s', (hash, route) => expect(parseRoute(hash)).toEqual(route))

  it('a link leads to what it was made for, and no text breaks the page', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), (system, event) => {
        expect(parseRoute(momentLink(system, event))).toEqual({ view: 'moment', system, event })
        expect(parseRoute(systemLink(system, 'history'))).toEqual({ view: 'history', system })
        expect(parseRoute(system).view).toBeTypeOf('string')
      }),
    )
  })
})

describe('numbers', () => {
  it.each([
    [percent(0.9312), '93.1 %'],
    [percent(null), '–'],
    [points(0.1, 0.132), '+3.2'],
    [points(0.5, 0.4995), '−0.05'],
    [points(0.5, 0.5), '±0'],
    [duration(4.25), '4.3 s'],
    [duration(200), '3 min 20 s'],
    [duration(7500), '2 h 5 min'],
    [reading(-12.345), '−12.35'],
    [reading(0.00012), '1.20e−4'],
    [reading(3210.7), '3211'],
  ])('%s', (shown, expected) => expect(shown).toBe(expected))
})

describe('keys', () => {
  it('names levels only as far as there are any', () => {
    expect(commandOf('2', 3)).toEqual({ kind: 'level', level: 1 })
    expect(commandOf('4', 3)).toBeUndefined()
    expect(commandOf('0', 3)).toBeUndefined()
    expect(commandOf('Y', 3)).toEqual({ kind: 'right' })
    expect(commandOf('Escape', 3)).toBeUndefined()
  })
})

describe('how unusual a value is', () => {
  it('is its distance from the mean of those before in their standard deviations', () => {
    // Mean 2, variance ((1)² + 0 + 1²) / 3 = 2/3; 4 is 2 away.
    expect(deviation([1, 2, 3, 4])).toBeCloseTo(2 / Math.sqrt(2 / 3), 12)
    expect(deviation([5, 5, 5, 9])).toBe(0)
    expect(deviation([1])).toBe(0)
  })
})

describe('records', () => {
  const record = {
    sequence: 5,
    time: 0,
    kind: 'correction',
    hash: 'ab',
    body: { assessment: 1234, answer: 'label', level: 1, by: 'Ann' },
  }

  it('say in one line what happened', () => {
    expect(describeRecord(record, ['I', 'II'])).toBe('question 1,234: it was II')
  })

  it('become CSV that a spreadsheet reads as text', () => {
    const wicked = { ...record, body: { ...record.body, by: '=HYPERLINK("http://x","y")' } }
    expect(toCsv([wicked], ['I', 'II']).split('\r\n')[1]).toBe(
      '5,1970-01-01T00:00:00.000Z,correction,"\'=HYPERLINK(""http://x"",""y"")","question 1,234: it was II",ab',
    )
  })

  it('become JSON lines that are the records again', () => {
    expect(
      toJsonLines([record, record])
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([record, record])
  })
})
