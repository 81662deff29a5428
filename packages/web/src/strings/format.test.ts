import { describe, expect, it } from 'vitest'
import { atLeast, atMost, duration, jumpSize, percent, points, reading, sureness } from './format.ts'

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
  ])('%s', (shown, expected) => expect(shown).toBe(expected))
})
