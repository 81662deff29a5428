import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CoinMixture, coinGrid, coinWeight } from './coin-mixture.ts'

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

describe('CoinMixture', () => {
  it('is never weaker than the union over the grid, and stays above what was seen', () => {
    fc.assert(
      fc.property(probability, fc.nat(60), (floor, wrong) => {
        const kappas = coinGrid(floor)
        const mixture = new CoinMixture(kappas)
        for (let i = 0; i < wrong; i++) mixture.add((kappa) => coinWeight(1, kappa, floor))
        const logLevel = Math.log(20)
        const union = Math.min(
          ...Array.from(
            kappas,
            (kappa) => (wrong * coinWeight(1, kappa, floor) + logLevel + Math.log(kappas.length)) / kappa,
          ),
        )
        const bound = mixture.bound(logLevel)
        expect(bound).toBeLessThanOrEqual(union * (1 + 1e-9))
        expect(bound).toBeGreaterThanOrEqual(wrong)
      }),
    )
  })
})
