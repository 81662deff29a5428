import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OptionError } from '@pb-oel/core'
import { afterAll, expect, it } from 'vitest'
import { type BenchReport, runBench } from './index.ts'
import { compare } from './report.ts'

const folder = mkdtempSync(join(tmpdir(), 'pb-oel-bench-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('runs the named benchmarks, stores a baseline and compares with it', async () => {
  const save = join(folder, 'baseline.json')
  const { report, output } = await runBench(['dive', 'csv'], { seconds: 0, save, json: true })
  expect(JSON.parse(output)).toEqual(report)
  expect(JSON.parse(readFileSync(save, 'utf8'))).toEqual(report)
  expect(report.results.map(({ benchmark, variant }) => `${benchmark} ${variant}`)).toEqual([
    'dive sample',
    'csv plain',
    'csv gzip',
  ])
  for (const { low, median, high } of report.results) expect(0 < low && low <= median && median <= high).toBe(true)
  const again = await runBench(['dive'], { seconds: 0, compare: save })
  expect(again.report.results[0].change).toBeTypeOf('number')
  expect(again.output).toContain('dive sample')
})

it('marks what got more than 10 % slower', () => {
  const report = (low: number, unit = 'µs'): BenchReport => ({
    machine: { cpu: 'x', cores: 1, memory: 1, load: 0 },
    versions: { pbOel: '0', node: '24', v8: '13' },
    date: '',
    results: [{ benchmark: 'a', variant: 'b', median: low, low, high: low, unit }],
  })
  expect(compare(report(112), report(100)).results[0]).toMatchObject({ slower: true })
  expect(compare(report(109), report(100)).results[0]).toMatchObject({ slower: false })
  expect(compare(report(50), report(100)).results[0].change).toBe(-0.5)
  expect(compare(report(2, 'exponent'), report(1, 'exponent')).results[0].slower).toBeUndefined()
})

it('refuses unknown benchmarks and files that are no baseline', async () => {
  await expect(runBench(['speed'])).rejects.toThrow(OptionError)
  await expect(runBench([], { compare: join(folder, 'missing.json') })).rejects.toThrow(OptionError)
  writeFileSync(join(folder, 'other.json'), '{"results": 3}')
  await expect(runBench([], { compare: join(folder, 'other.json') })).rejects.toThrow(OptionError)
})
