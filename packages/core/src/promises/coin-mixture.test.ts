import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coinBound, coinGrid, coinWeight } from './coin-mixture.ts'

const probability = fc.double({ min: 0.01, max: 1, noNaN: true })

describe('Lemma C1', () => {
  it('E exp(κd − V·1{seen}) = 1 for every difference, coin and κ of the grid', () => {
    fc.assert(
      fc.property(probability, fc.double({ min: -1, max: 1, noNaN: true }), fc.nat(8), (floor, d, j) => {
        const kappa = coinGrid(floor)[j]
        for (const pi of [floor, (1 + floor) / 2, 1]) {
          const seen = Math.exp(kappa * d - coinWeight(d, kappa, pi))
          const unseen = Math.exp(kappa * d)
          expect(pi * seen + (1 - pi) * unseen).toBeCloseTo(1, 9)
        }
      }),
    )
  })

  it('counts a certain check exactly', () => {
    for (const kappa of coinGrid(0.5)) expect(coinWeight(1, kappa, 1)).toBeCloseTo(kappa, 12)
  })

  it('V grows with the difference, so an upper bound of it is safe', () => {
    fc.assert(
      fc.property(probability, fc.double({ min: -1, max: 0.999, noNaN: true }), (floor, d) => {
        const kappa = coinGrid(floor)[5]
        expect(coinWeight(d + 0.001, kappa, floor)).toBeGreaterThan(coinWeight(d, kappa, floor))
      }),
    )
  })
})

describe('coinBound', () => {
  it('is never weaker than the union over the grid, and stays above what was seen', () => {
    fc.assert(
      fc.property(probability, fc.nat(60), (floor, wrong) => {
        const kappas = coinGrid(floor)
        const logLevel = Math.log(20)
        const sums = kappas.map((kappa) => wrong * coinWeight(1, kappa, floor))
        const union = Math.min(...sums.map((sum, j) => (sum + logLevel + Math.log(kappas.length)) / kappas[j]))
        const bound = coinBound({ kappas, sums }, logLevel)
        expect(bound).toBeLessThanOrEqual(union * (1 + 1e-9))
        expect(bound).toBeGreaterThanOrEqual(wrong)
      }),
    )
  })

  it('is the sum at which the mean of the martingales reaches 1/δ, from above', () => {
    fc.assert(
      fc.property(probability, fc.nat(2000), fc.integer({ min: 1, max: 9 }), (floor, wrong, usable) => {
        const kappas = coinGrid(floor)
        const sums = kappas.map((kappa) => wrong * coinWeight(1, kappa, floor))
        const bound = coinBound({ kappas, usable, sums }, Math.log(20))
        let mean = 0
        for (let j = 0; j < usable; j++) mean += Math.exp(kappas[j] * bound - sums[j]) / kappas.length
        expect(mean).toBeGreaterThanOrEqual(20 * (1 - 1e-6))
        expect(mean).toBeLessThan(20 * (1 + 1e-4))
      }),
    )
  })

  it('says nothing where no κ is in use', () => {
    const kappas = coinGrid(0.1)
    expect(coinBound({ kappas, usable: 0, sums: new Float64Array(kappas.length) }, 3)).toBe(Infinity)
  })
})
