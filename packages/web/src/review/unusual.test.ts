import { describe, expect, it } from 'vitest'
import { SampleRing } from '../feed/sample-ring.ts'
import { deviation, turnOf, unusualFirst } from './unusual.ts'

const noise = (i: number) => Math.sin(37 * i)
const steady = Array.from({ length: 60 }, (_, i) => noise(i))

describe('unusual channels', () => {
  it('a change that lasts counts, one odd reading does not', () => {
    const raised = [...steady, ...Array.from({ length: 5 }, (_, i) => 9 + noise(i))]
    const odd = [...steady, 900, ...steady.slice(0, 4)]
    expect(deviation(raised)).toBeGreaterThan(5)
    expect(deviation(odd)).toBeLessThan(2)
  })

  it('outliers of before do not hide a change', () => {
    const spiky = steady.map((value, i) => (i % 10 === 0 ? 1000 : value))
    expect(deviation([...spiky, ...Array.from({ length: 5 }, () => 9)])).toBeGreaterThan(5)
  })

  it('an angle that crosses north makes no jump, and one that turns away does', () => {
    const heading = Array.from({ length: 60 }, (_, i) => (360 + 2 * noise(i)) % 360)
    expect(deviation([...heading, 358, 359, 0, 1, 358], 360)).toBeLessThan(3)
    expect(deviation([...heading, 358, 359, 358, 357, 358])).toBeGreaterThan(0)
    expect(deviation([...heading, 90, 91, 90, 92, 91], 360)).toBeGreaterThan(10)
    expect(
      deviation(heading.map((angle) => (angle * Math.PI) / 180).concat([6.27, 6.28, 0, 0.01, 6.27]), 2 * Math.PI),
    ).toBeLessThan(3)
  })

  it('units of angles have turns, others have none', () => {
    expect([turnOf('°'), turnOf('deg'), turnOf('RAD')]).toEqual([360, 360, 2 * Math.PI])
    expect([turnOf('°C'), turnOf('deg/s'), turnOf('m'), turnOf(undefined)]).toEqual(Array(4).fill(undefined))
  })

  it('yaw from 0 to 358 degrees comes behind a channel that really changed, and a still channel last', () => {
    const ring = new SampleRing(100, 3)
    for (let t = 0; t < 60; t++) ring.push(t, [noise(t) < 0 ? 359 : 0.5, 7, noise(t)], 0)
    for (let t = 60; t < 65; t++) ring.push(t, [358, 7, 8], 0)
    expect(unusualFirst(ring, 64, ['°', undefined, 'bar'])).toEqual([2, 0, 1])
  })
})
