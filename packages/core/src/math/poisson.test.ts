import { describe, expect, it } from 'vitest'
import { Poisson } from './poisson.ts'
import { Random } from './random.ts'

function shares(mean: number, draws: number): number[] {
  const poisson = new Poisson(mean)
  const random = new Random(3, 'poisson')
  const counts: number[] = []
  for (let i = 0; i < draws; i++) {
    const k = poisson.draw(random)
    counts[k] = (counts[k] ?? 0) + 1
  }
  return Array.from(counts, (count = 0) => count / draws)
}

describe('Poisson', () => {
  it('never happens this often: P(0|1) = 0.367879, P(0|6) = 0.00247875', () => {
    // Four standard deviations of the share of 100,000 draws.
    expect(Math.abs(shares(1, 1e5)[0] - 0.367879)).toBeLessThan(0.0061)
    expect(Math.abs(shares(6, 1e5)[0] - 0.00247875)).toBeLessThan(0.00063)
  })

  it('has mean and variance λ', () => {
    for (const mean of [0.5, 6, 80]) {
      const p = shares(mean, 40_000)
      const first = p.reduce((sum, share, k) => sum + k * share, 0)
      const second = p.reduce((sum, share, k) => sum + k * k * share, 0)
      expect(Math.abs(first - mean)).toBeLessThan(4 * Math.sqrt(mean / 40_000))
      expect(Math.abs(second - first * first - mean)).toBeLessThan(0.06 * mean)
    }
  })

  it('draws exactly one uniform, and 0 for a vanishing mean', () => {
    const random = new Random(1, 'poisson')
    const poisson = new Poisson(6)
    for (let i = 0; i < 10; i++) poisson.draw(random)
    expect(random.position).toBe(10)
    const rare = new Poisson(1e-15)
    for (let i = 0; i < 1000; i++) expect(rare.draw(random)).toBe(0)
  })
})
