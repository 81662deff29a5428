import { describe, expect, it } from 'vitest'
import { accuracyTables } from '../analysis/accuracy-table.ts'
import { compareSuite } from '../analysis/suite.ts'
import { tableResults } from '../testing/results.ts'
import { suiteSections } from './suite-section.ts'

describe('the pages of a suite', () => {
  const RHOS = [0, 1]
  const tables = accuracyTables([
    ...tableResults('a', RHOS, { 'pb-oel-plus': [0.9, 0.9], srp: [0.7, 0.95], 'no-change': [0.5, 0.9] }),
    ...tableResults('b', RHOS, { 'pb-oel-plus': [0.8, 0.9], srp: [0.7, 0.7], 'no-change': [0.81, 0.6] }),
  ])
  const suite = compareSuite(tables)

  it('are one for each share, with the best of each stream in bold', () => {
    const [page] = suiteSections(suite, tables)
    expect(page.heading).toBe('All 2 streams at ρ = 0')
    expect(page.paragraphs[0]).toContain('PB-OEL+ has the best mean rank, 1.50; it is first on 1 of 2 streams')
    const [, accuracies, figure] = page.items
    expect(accuracies).toMatchObject({ kind: 'table', header: ['stream', 'PB-OEL+', 'no change', 'SRP'] })
    const rows = accuracies.kind === 'table' ? accuracies.rows : []
    expect(rows.map((row) => row.map(({ strong }) => strong === true))).toEqual([
      [false, true, false, false],
      [false, false, true, false],
    ])
    expect(figure).toMatchObject({ kind: 'figure', name: 'suite-ranks-rho-0' })
  })
})
