import { describe, expect, it } from 'vitest'
import { drawPoisson, drawSubset } from './draws.ts'
import { normalQuantile, philox, Random } from './random.ts'

/** Mean and variance of many draws. */
function moments(draw: () => number, count = 200_000): { mean: number; variance: number } {
  let sum = 0
  let squares = 0
  for (let i = 0; i < count; i++) {
    const value = draw()
    sum += value
    squares += value * value
  }
  return { mean: sum / count, variance: squares / count - (sum / count) ** 2 }
}

describe('Philox4x32-10', () => {
  it.each([
    [[0, 0, 0, 0, 0, 0], '6627e8d5 e169c58d bc57ac4c 9b00dbd8'],
    [[-1, -1, -1, -1, -1, -1], '408f276d 41c83b0e a20bc7c6 6d5451fd'],
    [[0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0], 'd16cfe09 94fdcceb 5001e420 24126ea1'],
  ])('gives the published known answer %#', ([c0, c1, c2, c3, k0, k1], expected) => {
    const out = new Uint32Array(4)
    philox(out, c0, c1, c2, c3, k0, k1)
    expect([...out].map((word) => word.toString(16).padStart(8, '0')).join(' ')).toBe(expected)
  })
})

describe('Random', () => {
  it('is a function of seed, stream and position', () => {
    const a = new Random(7, 'actions')
    const first = Array.from({ length: 9 }, () => a.uniform())
    const b = new Random(7, 'actions')
    b.position = 5
    expect(b.uniform()).toBe(first[5])
    b.position = 0
    expect(b.uniform()).toBe(first[0])
    expect(new Random(8, 'actions').uniform()).not.toBe(first[0])
    expect(new Random(7, 'weights').uniform()).not.toBe(first[0])
    expect(new Random(7 + 2 ** 32, 'actions').uniform()).not.toBe(first[0])
    // The counter goes on beyond 32 bits: 2^33 numbers are 2^32 blocks.
    b.position = 2 ** 33
    expect(b.uniform()).not.toBe(first[0])
  })

  it('gives no normal number that is not finite, should a uniform one be 0', () => {
    class Zero extends Random {
      override uniform(): number {
        return 0
      }
    }
    const zero = new Zero(1, 'zero')
    expect(zero.positive()).toBe(2 ** -54)
    expect(zero.normal()).toBeCloseTo(-8.29236, 4)
  })

  it('has uniform, normal and Poisson moments', () => {
    const random = new Random(1, 'moments')
    const uniform = moments(() => random.uniform())
    expect(uniform.mean).toBeCloseTo(0.5, 2)
    expect(uniform.variance).toBeCloseTo(1 / 12, 2)
    const normal = moments(() => random.normal())
    expect(Math.abs(normal.mean)).toBeLessThan(0.012)
    expect(Math.abs(normal.variance - 1)).toBeLessThan(0.017)
    for (const lambda of [0.5, 6, 75]) {
      const poisson = moments(() => drawPoisson(random, lambda), 40_000)
      expect(Math.abs(poisson.mean / lambda - 1)).toBeLessThan(0.03)
      expect(Math.abs(poisson.variance / lambda - 1)).toBeLessThan(0.05)
    }
  })

  it('draws 0 from Poisson(1) and Poisson(6) as often as it must', () => {
    const random = new Random(2, 'zeros')
    const zeros = (lambda: number) => moments(() => (drawPoisson(random, lambda) === 0 ? 1 : 0), 100_000).mean
    expect(Math.abs(zeros(1) - 0.367879)).toBeLessThan(0.005)
    expect(Math.abs(zeros(6) - 0.00247875)).toBeLessThan(0.0008)
  })

  it('draws distinct members of a subset, each equally often', () => {
    const random = new Random(3, 'subset')
    const hits = new Array(8).fill(0)
    const out = [0, 0, 0]
    for (let i = 0; i < 8000; i++) {
      drawSubset(random, 8, 3, out)
      expect(new Set(out).size).toBe(3)
      for (const member of out) hits[member]++
    }
    for (const count of hits) expect(Math.abs(count / 3000 - 1)).toBeLessThan(0.08)
  })
})

describe('normalQuantile', () => {
  it.each([
    [1e-300, -37.0470962993612],
    [1e-15, -7.941345326170997],
    [1e-10, -6.361340902404056],
    [0.01, -2.3263478740408408],
    [0.5, 0],
    [0.975, 1.959963984540054],
    [0.999, 3.090232306167813],
  ])('of %f is %f', (p, expected) => {
    expect(Math.abs(normalQuantile(p) - expected)).toBeLessThan(1e-14 * Math.max(1, Math.abs(expected)))
  })
})
