import { describe, expect, it } from 'vitest'
import { duration, percent, points, reading } from './format.ts'

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
