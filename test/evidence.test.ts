import { expect, it } from 'vitest'
import {
  mutationScores,
  plantedErrors,
  runsUnderLoad,
  seedsPassed,
  simulatedErrors,
} from '../scripts/evidence-views.ts'
import { FOLDERS } from './mutation/folders.ts'

const date = '2026-11-19T20:00:00.000Z'

it('mutants: what no test reaches is not noticed, and what changes nothing counts apart', () => {
  const score = { killed: 6, timeout: 1, survived: 2, noCoverage: 1, equivalent: 4, date: '2026-11-16' }
  const table = mutationScores(Object.fromEntries(Object.keys(FOLDERS).map((folder) => [folder, score])))
  expect(table.split('\n')).toHaveLength(2 + Object.keys(FOLDERS).length)
  expect(table).toContain('| packages/core/src/drift | 7 | 3 | 4 | 2026-11-16 |')
})

it('planted errors: what was not noticed is named', () => {
  expect(plantedErrors({ date, planted: 73, unnoticed: [] })).toBe('73 of 73 planted errors were noticed (2026-11-19).')
  expect(plantedErrors({ date, planted: 73, unnoticed: ['a', 'b'] })).toBe(
    '71 of 73 planted errors were noticed (2026-11-19). Not noticed: a, b.',
  )
})

it('the simulation: seeds that failed do not count, and an error that no seed found says so', () => {
  expect(seedsPassed({ date, seeds: 1000, passed: 999 })).toBe('999 of 1,000 seeds passed (2026-11-19).')
  const errors = [
    { name: 'lost dedupe', seed: 4 },
    { name: 'stale read', seed: null },
  ]
  expect(simulatedErrors({ seeds: 200, errors }).split('\n').slice(2)).toEqual([
    '| lost dedupe | 4 |',
    '| stale read | not in 200 |',
  ])
})

it('runs under load: each run is told, one that failed too', () => {
  const runs = [
    { passed: 9, failed: 0, skipped: 2, seconds: 700 },
    { passed: 8, failed: 1, skipped: 2, seconds: 701 },
  ]
  const [load, , , , ...lines] = runsUnderLoad({ date, cores: 2, busy: 2, atOnce: 1, runs }).split('\n')
  expect(load).toBe('2 cores, 2 busy threads, one suite at a time (2026-11-19):')
  expect(lines).toEqual(['| 1 | 9 | 0 | 2 | 700 |', '| 2 | 8 | 1 | 2 | 701 |'])
})
