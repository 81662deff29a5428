import { expect, it } from 'vitest'
import { copyState } from '../laws/law.ts'
import { NoiseEstimate } from './noise-estimate.ts'

it('is the fading share of rejections among answers to assessments that were nearly certain', () => {
  const noise = new NoiseEstimate()
  expect(noise.value).toBe(0)
  // 20 right answers are assumed before the first.
  let [answers, rejections] = [20, 0]
  for (const rejected of [true, false, true, true]) {
    noise.count(0.95, rejected)
    answers = 0.999 * answers + 1
    rejections = 0.999 * rejections + (rejected ? 1 : 0)
    expect(noise.value).toBeCloseTo(rejections / answers, 12)
  }
  noise.count(0.9499, true)
  expect(noise.value).toBeCloseTo(rejections / answers, 12)
  const copy = copyState(noise, new NoiseEstimate())
  for (const one of [noise, copy]) one.count(1, false)
  expect(copy.value).toBe(noise.value)
  for (let t = 0; t < 40; t++) noise.count(1, true)
  expect(noise.value).toBe(0.45)
})
