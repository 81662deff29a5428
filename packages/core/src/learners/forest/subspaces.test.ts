import { describe, expect, it } from 'vitest'
import { OptionError } from '../../errors.ts'
import { Random } from '../../math/random.ts'
import { binomial, combination, initialSubspaces, subspaceSize } from './subspaces.ts'

describe('subspaceSize', () => {
  it('is 60 % as in the specification', () => {
    const sizes = [1, 2, 3, 4, 5, 8, 10, 14, 20, 24, 46, 54].map((channels) => subspaceSize(0.6, channels))
    // One and two channels leave nothing to leave out.
    expect(sizes).toEqual([1, 2, 2, 2, 3, 5, 6, 8, 12, 14, 28, 32])
  })

  it('understands the other ways to say it', () => {
    expect(subspaceSize('sqrt', 24)).toBe(6)
    expect(subspaceSize('inverse-sqrt', 24)).toBe(18)
    expect(subspaceSize(7, 24)).toBe(7)
    expect(subspaceSize(-4, 24)).toBe(20)
    expect(subspaceSize(1, 24)).toBe(24)
    expect(subspaceSize(30, 24)).toBe(24)
    expect(subspaceSize(-30, 24)).toBe(24)
  })

  it('refuses what is none of these', () => {
    for (const wrong of [0.5 + 1, Number.NaN, Infinity, 'log' as 'sqrt']) {
      expect(() => subspaceSize(wrong, 24)).toThrow(OptionError)
    }
  })
})

describe('combination', () => {
  it('counts through all of them in lexicographic order', () => {
    expect(binomial(5, 3)).toBe(10)
    expect(binomial(20, 10)).toBe(184756)
    const all = Array.from({ length: 10 }, (_, rank) => combination(rank, 5, 3).join(''))
    expect(all).toEqual(['012', '013', '014', '023', '024', '034', '123', '124', '134', '234'])
  })
})

describe('initialSubspaces', () => {
  const draw = (members: number, channels: number, size: number, lexicographic = false) =>
    initialSubspaces(new Random(1, 'subspaces'), members, channels, size, lexicographic)

  it('ends although there are fewer combinations than members, and uses each', () => {
    const subspaces = draw(100, 3, 2)
    expect(subspaces.length).toBe(100)
    expect(new Set(subspaces.map(String)).size).toBe(3)
  })

  it('repeats none among few channels while there are others', () => {
    expect(new Set(draw(50, 8, 5).map(String)).size).toBe(50)
    // 20 channels are few, too: twenty ways to leave one out.
    expect(new Set(draw(20, 20, 19).map(String)).size).toBe(20)
  })

  it('uses all channels about equally', () => {
    const counts = new Int32Array(10)
    for (const subspace of draw(200, 10, 6)) for (const channel of subspace) counts[channel]++
    // 120 of 200 expected; the standard deviation is below 7.
    for (const count of counts) expect(Math.abs(count - 120)).toBeLessThan(28)
  })

  it('leaves out the last channels as scikit-multiflow and River do', () => {
    const used = (channels: number, size: number) => new Set(draw(3, channels, size, true).flatMap((s) => [...s]))
    expect(Math.max(...used(8, 5))).toBe(6)
    expect(Math.max(...used(10, 6))).toBe(7)
  })

  it('draws many channels independently', () => {
    for (const subspace of draw(5, 24, 14, true)) {
      expect(new Set(subspace).size).toBe(14)
      expect(Math.max(...subspace)).toBeLessThan(24)
    }
  })
})
