import type { AccuracyTable } from '@pb-oel/lab'
import { describe, expect, it } from 'vitest'
import { accuracyText } from './accuracy-text.ts'

const cell = (method: string, mean: number, std: number) =>
  ({ method, rho: 0, mean, std, accuracies: [mean, mean], results: [] }) as AccuracyTable['cells'][number]

describe('accuracyText', () => {
  it('has mean, deviation, ε, average and rank, and a star at the best that is no baseline', () => {
    const table: AccuracyTable = {
      ...{ stream: 'dive', samples: 1000, levels: 3, rhos: [0], methods: ['srp', 'no-change', 'pb-oel'] },
      cells: [cell('srp', 0.8, 0.01), cell('no-change', 0.95, 0.02), cell('pb-oel', 0.9, 0.03)],
      averages: { srp: 0.8, 'no-change': 0.95, 'pb-oel': 0.9 },
      epsilons: { srp: 0.005, 'no-change': 0, 'pb-oel': null },
      ranks: { srp: 2, 'no-change': null, 'pb-oel': 1 },
    }
    const [head, , ...lines] = accuracyText(table)
    expect(head).toContain('dive: 1,000 samples, mean ± standard deviation over 2 runs')
    expect(lines[0].split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['method', 'ρ=0', 'ε', 'average', 'rank'],
      [expect.stringMatching(/^─+$/)],
      ['pb-oel', '0.900±0.030*', '–', '0.900', '1'],
      ['srp', '0.800±0.010', '0.005', '0.800', '2'],
      ['no-change', '0.950±0.020', '0', '0.950', '–'],
    ])
  })
})
