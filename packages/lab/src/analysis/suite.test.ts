import { describe, expect, it } from 'vitest'
import { tableResults } from '../testing/results.ts'
import { accuracyTables } from './accuracy-table.ts'
import { compareSuite, suiteJson, twoLevelsWords } from './suite.ts'

const RHOS = [0, 1]
const tables = accuracyTables([
  ...tableResults('a', RHOS, { 'pb-oel-plus': [0.9, 0.9], srp: [0.7, 0.95], 'no-change': [0.5, 0.9] }),
  ...tableResults('b', RHOS, { 'pb-oel-plus': [0.8, 0.9], srp: [0.7, 0.7], 'no-change': [0.81, 0.6] }),
])

describe('a suite', () => {
  const suite = compareSuite(tables)

  it('ranks every method, baselines too, one share of labels at a time', () => {
    expect(suite.shares.map(({ rho }) => rho)).toEqual(RHOS)
    const [none, all] = suite.shares.map(({ standings }) => standings)
    expect(none.map(({ method, rank }) => [method, rank])).toEqual([
      ['pb-oel-plus', 1.5],
      ['no-change', 2],
      ['srp', 2.5],
    ])
    // On stream a two methods have 0.9 and share places 2 and 3.
    expect(all.map(({ method, rank }) => [method, rank])).toEqual([
      ['srp', 1.5],
      ['pb-oel-plus', 1.75],
      ['no-change', 2.75],
    ])
  })

  it('orders methods of one rank by their mean, and calls first who is level with the best to three digits', () => {
    const accuracies = { arf: [0.9001], srp: [0.9004] }
    const other = { arf: [0.8], srp: [0.7] }
    const [{ standings }] = compareSuite(
      accuracyTables([...tableResults('a', [0], accuracies), ...tableResults('b', [0], other)]),
    ).shares
    expect(standings.map(({ method, rank, first }) => [method, rank, first])).toEqual([
      ['arf', 1.5, 2],
      ['srp', 1.5, 1],
    ])
  })

  it('says where a method is first, and where it is furthest behind the best', () => {
    const [plus] = suite.shares[0].standings
    expect(plus).toMatchObject({ first: 1, worstStream: 'b' })
    expect(plus.worstGap).toBeCloseTo(0.01, 12)
    expect(plus.mean).toBeCloseTo(0.85, 12)
    const srp = suite.shares[0].standings[2]
    expect(srp).toMatchObject({ first: 0, worstStream: 'a' })
    expect(srp.worstGap).toBeCloseTo(0.2, 12)
  })

  it('tests the ranks of each share where there are several streams', () => {
    // Demšar 2006, Table 5(a): 2.343 for three methods; √(k(k+1)/6N) = 1 for k = 3, N = 2.
    expect(suite.shares[0].test?.criticalDifference).toBeCloseTo(2.343, 2)
    expect(compareSuite(tables.slice(0, 1)).shares[0].test).toBeUndefined()
  })

  it('says of which streams rivals are told less', () => {
    expect(twoLevelsWords(suite)).toBe('')
    const two = compareSuite(tables.map((table, i) => ({ ...table, levels: 2 + i })))
    expect(two.twoLevels).toEqual(['a'])
    expect(twoLevelsWords(two)).toContain('a: a stream with two levels')
    expect(twoLevelsWords(two)).toContain('are not told')
  })

  it('becomes JSON with the accuracies behind it', () => {
    const { streams, shares } = suiteJson(suite, tables)
    expect(streams).toEqual([
      { stream: 'a', samples: 1000, levels: 3 },
      { stream: 'b', samples: 1000, levels: 3 },
    ])
    expect(shares[1].accuracies[0].stream).toBe('a')
    expect((shares[1].accuracies[0] as Record<string, unknown>).srp).toBeCloseTo(0.95, 12)
  })
})
