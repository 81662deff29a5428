import { expect, it } from 'vitest'
import { levelTone } from './tone.ts'

it.each([
  [2, [0, 2]],
  [3, [0, 1, 2]],
  [5, [0, 1, 1, 1, 2]],
])('of %d levels the safest has the first colour and the worst the last', (levels, tones) => {
  expect(tones.map((_, level) => levelTone(level, levels))).toEqual(tones)
})
