import { expect, it } from 'vitest'
import { ArrivalRate } from './arrival-rate.ts'

it('is unknown before a second of counts', () => {
  const rate = new ArrivalRate()
  expect(rate.perSecond).toBeNull()
  rate.add(10_000, 1_000)
  rate.add(10_900, 1_180)
  expect(rate.perSecond).toBeNull()
  rate.add(11_000, 1_200)
  expect(rate.perSecond).toBe(200)
})

it('does not change with a second count of the same moment, or with one that was overtaken', () => {
  const rate = new ArrivalRate()
  rate.add(0, 0)
  rate.add(2_000, 400)
  rate.add(2_001, 400)
  expect(rate.perSecond).toBeCloseTo(200, 0)
  rate.add(2_002, 300)
  expect(rate.perSecond).toBeCloseTo(200, 0)
})

it('covers the latest seconds only, and is 0 when nothing arrives', () => {
  const rate = new ArrivalRate()
  for (let second = 0; second <= 20; second++) rate.add(1_000 * second, 100 * Math.min(second, 10))
  expect(rate.perSecond).toBe(0)
  rate.add(21_000, 1_500)
  expect(rate.perSecond).toBe(100)
})
