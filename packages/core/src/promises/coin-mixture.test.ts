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

/** Sixty values of κ instead of nine. */
const fineGrid = (floor: number) =>
  Float64Array.from({ length: 60 }, (_, i) => -Math.log(1 - floor * 0.003 * 328 ** (i / 59)))

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

  it('certifies what docs/promises.md says, beside sixty values and the best κ in hindsight', () => {
    const certified = (floor: number, wrong: number) => {
      const most = (kappas: Float64Array) =>
        coinBound({ kappas, sums: kappas.map((kappa) => wrong * coinWeight(1, kappa, floor)) }, Math.log(20))
      const fine = fineGrid(floor)
      const bounds = [most(coinGrid(floor)), most(fine), Math.min(...fine.map((kappa) => most(Float64Array.of(kappa))))]
      return bounds.map((bound) => Number((1 - bound / 30_000).toFixed(3)))
    }
    expect(certified(0.02, 3)).toEqual([0.981, 0.979, 0.984])
    expect(certified(0.05, 8)).toEqual([0.987, 0.986, 0.989])
    expect(certified(0.02, 22)).toEqual([0.935, 0.933, 0.941])
    expect(certified(0.05, 35)).toEqual([0.963, 0.962, 0.966])
  })

  it('nine values lose at most a quarter to the best κ in hindsight, 30 % after one mistake or two; sixty lose more', () => {
    for (const floor of [0.01, 0.02, 0.05, 0.1]) {
      const bound = (kappas: Float64Array, wrong: number) =>
        coinBound({ kappas, sums: kappas.map((kappa) => wrong * coinWeight(1, kappa, floor)) }, Math.log(20))
      const fine = fineGrid(floor)
      for (const wrong of [1, 2, 3, 8, 22, 54, 108]) {
        const hindsight = Math.min(...fine.map((kappa) => bound(Float64Array.of(kappa), wrong)))
        const nine = bound(coinGrid(floor), wrong)
        expect(nine / hindsight).toBeLessThan(wrong < 3 ? 1.3 : 1.25)
        expect(nine).toBeLessThan(bound(fine, wrong))
      }
    }
  })

  it('says nothing where no κ is in use', () => {
    const kappas = coinGrid(0.1)
    expect(coinBound({ kappas, usable: 0, sums: new Float64Array(kappas.length) }, 3)).toBe(Infinity)
  })
})
