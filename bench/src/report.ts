import { readFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { OptionError } from '@pb-oel/core'
import type { Result } from './benchmark.ts'

/** A result, and how it compares with the baseline. */
export interface ReportedResult extends Result {
  /** Share by which `low` grew since the baseline: 0.1 is 10 % slower. Only for times. */
  readonly change?: number
  /** True when it grew by more than 10 %. */
  readonly slower?: boolean
}

/** Everything about a run of benchmarks: the document of `--json` and of a stored baseline. */
export interface BenchReport {
  readonly machine: { readonly cpu: string; readonly cores: number; readonly memory: number; readonly load: number }
  readonly versions: { readonly pbOel: string; readonly node: string; readonly v8: string }
  readonly date: string
  readonly results: readonly ReportedResult[]
}

/** Growth from which a result counts as slower. */
const TOLERANCE = 0.1

/** The results with machine, versions and date. */
export function describe(results: readonly Result[]): BenchReport {
  const processors = cpus()
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return {
    machine: {
      cpu: processors[0]?.model.trim() ?? 'unknown',
      cores: processors.length,
      memory: totalmem(),
      load: loadavg()[0],
    },
    versions: { pbOel: manifest.version, node: process.versions.node, v8: process.versions.v8 },
    date: new Date().toISOString(),
    results,
  }
}

/** The report with every time compared with the one of the same name in `baseline`. */
export function compare(report: BenchReport, baseline: BenchReport): BenchReport {
  const before = new Map(baseline.results.map((result) => [key(result), result]))
  const results = report.results.map((result) => {
    const old = before.get(key(result))
    if (old === undefined || result.unit !== 'µs') return result
    const change = result.low / old.low - 1
    return { ...result, change, slower: change > TOLERANCE }
  })
  return { ...report, results }
}

function key({ benchmark, variant }: Result): string {
  return `${benchmark} ${variant}`
}

/** Reads a stored baseline. */
export function readBaseline(path: string): BenchReport {
  try {
    const report = JSON.parse(readFileSync(path, 'utf8'))
    if (Array.isArray(report?.results)) return report
  } catch {
    // Said below.
  }
  throw new OptionError('compare', path, 'a file that bench --save wrote')
}

/** The report as text for people; `baseline` only to say where it came from. */
export function reportText(report: BenchReport, baseline?: BenchReport): string {
  const { machine, versions, results } = report
  const header = ['benchmark', 'median', '10 %', '90 %', 'unit', 'ratio', ...(baseline ? ['change'] : [])]
  const rows = results.map((result) => [
    `${result.benchmark} ${result.variant}`,
    figure(result.median),
    figure(result.low),
    figure(result.high),
    result.unit,
    result.ratio === undefined ? '' : figure(result.ratio),
    ...(baseline ? [changeText(result)] : []),
  ])
  const lines = [
    `${machine.cpu}, ${machine.cores} cores, load ${machine.load.toFixed(1)}; Node ${versions.node}, V8 ${versions.v8}`,
    '',
    table(header, rows),
  ]
  if (baseline) {
    const slower = results.filter((result) => result.slower).length
    lines.push(
      '',
      `baseline of ${baseline.date}, ${baseline.machine.cpu}: ${slower} of ${results.length} slower by 10 %`,
    )
  }
  return lines.join('\n')
}

function changeText({ change, slower }: ReportedResult): string {
  return change === undefined ? '' : `${(change * 100).toFixed(0)} %${slower ? ' SLOWER' : ''}`
}

/** Three or more significant digits. */
function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows]
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column].length)))
  const line = (row: readonly string[]) =>
    row.map((cell, i) => (i === 0 || i === 4 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ')
  return [line(header), '─'.repeat(line(header).length), ...rows.map(line)].map((text) => text.trimEnd()).join('\n')
}
