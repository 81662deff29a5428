import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gridOf, toPng } from '../charts/svg.ts'
import { DataError } from '../errors.ts'
import { type ExperimentSet, streamLabel } from '../experiment/experiment.ts'
import type { ExperimentResult } from '../experiment/run-experiments.ts'
import { codeVersion } from '../job/fingerprint.ts'
import { thisMachine } from '../machine.ts'
import type { PromiseStudy } from '../promises/promise-study.ts'
import { buildReport } from './build-report.ts'
import { quoteCsv, toCsv, toLatex } from './formats.ts'
import { toHtml } from './html.ts'
import { listed } from './report.ts'

export { accuracyOver, type SettingsLine } from '../charts/figures.ts'

/**
 * Writes a report into a folder: `report.html`, each figure as SVG and PNG, each table as CSV and LaTeX, `_raw.csv`
 * with every run, `_promises.json` where promises were studied, `_configuration.json` and `_machine.json`. All but the
 * last are the same bytes for the same results.
 *
 * @param seconds how long the runs took, for `_machine.json`
 * @param promises studies of promises that belong to the report
 * @returns path of the HTML file
 */
export function writeReport(
  folder: string,
  set: ExperimentSet,
  results: readonly ExperimentResult[][],
  seconds?: number,
  promises: readonly PromiseStudy[] = [],
): string {
  prepareFolder(folder)
  const version = codeVersion()
  const report = buildReport(set, results, version, promises)
  const write = (name: string, content: string | Uint8Array) => writeWhole(folder, name, content)
  for (const item of report.sections.flatMap(({ items }) => items)) {
    if (item.kind === 'table') {
      write(`${item.name}.csv`, toCsv(item))
      write(`${item.name}.tex`, toLatex(item))
    } else {
      const drawing = item.panels.length === 1 ? item.panels[0] : gridOf(item.panels, 3)
      write(`${item.name}.svg`, drawing)
      write(`${item.name}.png`, toPng(drawing))
    }
  }
  write('_raw.csv', rawCsv(results.flat()))
  if (promises.length > 0) write('_promises.json', `${JSON.stringify(promises, null, 2)}\n`)
  write('_configuration.json', `${JSON.stringify({ codeVersion: version, ...set }, null, 2)}\n`)
  write('_machine.json', `${JSON.stringify(machine(results.flat(), seconds), null, 2)}\n`)
  write('report.html', toHtml(report))
  return join(folder, 'report.html')
}

/** Writes a report that is about promises alone; the same files as {@link writeReport}. */
export function writePromisesReport(folder: string, promises: readonly PromiseStudy[], seconds?: number): string {
  const streams = promises.map(({ stream }) => streamLabel(stream))
  return writeReport(folder, { title: `Promises on ${listed(streams)}`, parts: [] }, [], seconds, promises)
}

/** Makes a folder where it is missing; a {@link DataError} when that cannot be. */
export function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (cause) {
    throw new DataError(folder, `cannot be made a folder (${(cause as NodeJS.ErrnoException).code})`)
  }
}

/** Writes beside the target and renames, so that a file is either whole or not there. */
function writeWhole(folder: string, name: string, content: string | Uint8Array): void {
  const path = join(folder, name)
  const partial = `${path}.partial`
  try {
    writeFileSync(partial, content)
    renameSync(partial, path)
  } catch (cause) {
    rmSync(partial, { force: true })
    throw new DataError(path, `cannot be written (${(cause as NodeJS.ErrnoException).code})`)
  }
}

const RAW = [
  'accuracy',
  'macroF1',
  'kappa',
  'kappaTemporal',
  'gMean',
  'misses',
  'falseAlarms',
  'labels',
  'drifts',
  'noChange',
] as const
const BOUND = ['applies', 'value', 'ultimate', 'regret', 'bestExpert'] as const

/** Every run once, with everything but its time. */
export function rawCsv(results: readonly ExperimentResult[]): string {
  const header = ['stream', 'method', 'rho', 'seed', 'samples', ...RAW, ...BOUND.map((name) => `bound.${name}`)]
  const lines = results.map(({ streamName, label, job, samples, result }) =>
    [
      streamName,
      label,
      job.rho,
      job.seed,
      samples,
      ...RAW.map((name) => result[name]),
      ...BOUND.map((name) => result.bound[name] ?? ''),
    ]
      .map((value) => quoteCsv(String(value)))
      .join(','),
  )
  return `${[header.join(','), ...new Set(lines)].join('\n')}\n`
}

/** Where and when it was made, and how fast: the only file that differs from one call to the next. */
function machine(results: readonly ExperimentResult[], seconds: number | undefined) {
  const speeds = [...Map.groupBy(results, ({ job }) => job.method)].map(([method, runs]) => {
    const sorted = runs.map(({ result }) => result.samplesPerSecond).sort((a, b) => a - b)
    return [method, Math.round(sorted[Math.floor(sorted.length / 2)])]
  })
  return {
    ...thisMachine(),
    ...(seconds !== undefined && { secondsOfThisCall: Math.round(seconds * 10) / 10 }),
    medianSamplesPerSecond: Object.fromEntries(speeds),
  }
}
