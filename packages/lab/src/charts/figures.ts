import { type AccuracyTable, cellOf } from '../analysis/accuracy-table.ts'
import { averageCurve, driftMarks, type Quantity, restartMarks } from '../analysis/curves.ts'
import { paperAccuracy } from '../analysis/paper.ts'
import { methodTitle } from '../experiment/method-names.ts'
import type { ExperimentResult } from '../experiment/run-experiments.ts'
import { type LineChartOptions, lineChart, type Point, type Series } from './line-chart.ts'
import { looks } from './look.ts'

/** Fig. 4: accuracy over ρ, the values of ρ evenly spaced. */
export function accuracyOverRho(table: AccuracyTable): string {
  const lines = table.methods.map((label) => ({ label, cells: table.rhos.map((rho) => cellOf(table, label, rho)) }))
  const title = `Accuracy over the share of full labels, ${table.stream}`
  return accuracyOver(lines, {
    title,
    xLabel: 'share of full labels ρ (evenly spaced)',
    settings: table.rhos.map(String),
  })
}

/** How a line looks that only gives the others something to stand out from. */
const PALE = { colour: '#d3d9e0', dash: 'none', width: 1 }

/**
 * Fig. 4 as small multiples: one panel per method, its line in front of all others, with the paper's points where it
 * prints them.
 */
export function methodPanels(table: AccuracyTable, paper: boolean): string[] {
  const look = looks(table.methods)
  const pointsOf = (label: string) =>
    table.rhos.map((rho, x) => {
      const { mean, std } = cellOf(table, label, rho)
      return { x, y: mean, low: mean - std, high: mean + std }
    })
  const xTicks = table.rhos.map((rho, at) => ({ at, name: String(rho) }))
  const lines = table.methods.map((label): Series => {
    const reference = paper ? paperPoints(table, label) : undefined
    return { label, look: { ...look(label), width: 2.8 }, points: pointsOf(label), ...(reference && { reference }) }
  })
  // All lines are in all panels, so that all have the same axis.
  return lines.map((own) => {
    const { label } = own
    const others = lines.filter((line) => line !== own).map((line) => ({ ...line, look: PALE, background: true }))
    const series = [...others, own]
    const title = methodTitle(label)
    return lineChart(series, { title, xLabel: 'share of full labels ρ', width: 460, height: 300, dots: true, xTicks })
  })
}

/** The paper's means of a method, where it has some. */
function paperPoints(table: AccuracyTable, method: string): Series['reference'] {
  const points = table.rhos.flatMap((rho, x) => {
    const y = paperAccuracy(method, rho)
    return y === undefined ? [] : [{ x, y }]
  })
  return points.length === 0 ? undefined : { name: 'paper', points }
}

/** One line of {@link accuracyOver}: a cell for each setting. */
export interface SettingsLine {
  /** Name of a method of core, or any other. */
  label: string
  cells: readonly { mean: number; std: number }[]
}

/**
 * Accuracy over settings of any kind, evenly spaced, as SVG: one line per method or variant, with its deviation as a
 * band.
 */
export function accuracyOver(
  lines: readonly SettingsLine[],
  { title, xLabel, settings }: { title: string; xLabel: string; settings: readonly string[] },
): string {
  const look = looks(lines.map(({ label }) => label))
  const series = lines.map(
    ({ label, cells }): Series => ({
      label,
      look: look(label),
      points: cells.map(({ mean, std }, x) => ({ x, y: mean, low: mean - std, high: mean + std })),
    }),
  )
  const xTicks = settings.map((name, at) => ({ at, name }))
  return lineChart(series, { title, xLabel, width: 920, height: 460, dots: true, xTicks })
}

/**
 * One panel of Fig. 5: accuracy over time at one ρ, of all samples so far or of the latest 1,000.
 *
 * @param paper whether the last point of a curve of all samples has the paper's beside it, which its Table I prints
 */
export function accuracyOverTime(
  table: AccuracyTable,
  rho: number,
  quantity: 'accuracy' | 'window',
  paper = false,
): string {
  const look = looks(table.methods)
  const series = table.methods
    .flatMap((method) => curveSeries(cellOf(table, method, rho).results, quantity, method, look(method)))
    .map((one): Series => {
      const y = paper && quantity === 'accuracy' ? paperAccuracy(one.label, rho) : undefined
      return y === undefined ? one : { ...one, reference: { name: 'paper', points: [{ x: table.samples, y }] } }
    })
  const own = table.methods.includes('pb-oel') ? cellOf(table, 'pb-oel', rho).results[0] : undefined
  return lineChart(series, {
    ...overTime(table.samples),
    title: `ρ = ${rho}`,
    width: 620,
    height: 400,
    floor: 0.2,
    fewBands: quantity === 'window',
    drifts: own ? driftMarks(own.trace).map(({ samples }) => samples) : [],
  })
}

/** Ticks and name of an axis of samples. */
export function overTime(samples: number): Pick<LineChartOptions, 'xLabel' | 'xTicks'> {
  const step =
    [100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000].find((step) => samples / step <= 4) ??
    samples / 4
  const ticks = Array.from({ length: Math.floor(samples / step) + 1 }, (_, i) => i * step)
  return { xLabel: 'samples', xTicks: ticks.map((at) => ({ at, name: at.toLocaleString('en-US') })) }
}

/** A curve averaged over runs as a line, or none when the runs do not have it. */
function curveSeries(
  results: readonly ExperimentResult[],
  quantity: Quantity,
  label: string,
  look: Series['look'],
): Series[] {
  const curve = averageCurve(results, quantity)
  if (!curve) return []
  const points = curve.samples.map(
    (x, i): Point => ({ x, y: curve.mean[i], low: curve.mean[i] - curve.std[i], high: curve.mean[i] + curve.std[i] }),
  )
  return [{ label, look, points }]
}

/** Guarantee and reality over time for one policy at one ρ. */
export function boundOverTime(results: readonly ExperimentResult[]): string {
  const [{ label, job, samples, trace }] = results
  const { rho, options = {} } = job
  const series = BOUND_LINES.flatMap(({ quantity, name, look }) => curveSeries(results, quantity, name, look))
  const restarts = label.startsWith('pb-oel') && !/standard|scaled/.test(label)
  return lineChart(series, {
    ...overTime(samples),
    title: `${methodTitle(label)}, ρ = ${rho}`,
    width: 460,
    height: 280,
    drifts: driftMarks(trace).map(({ samples }) => samples),
    restarts: restarts ? restartMarks(samples, typeof options.alpha === 'number' ? options.alpha : 0.8) : [],
  })
}

const BOUND_LINES: readonly { quantity: Quantity; name: string; look: Series['look'] }[] = [
  { quantity: 'ultimate', name: 'ultimate bound', look: { colour: '#009e73', dash: '6 3', width: 1.6 } },
  { quantity: 'bestExpert', name: 'best expert', look: { colour: '#e69f00', dash: '2 2', width: 1.6 } },
  { quantity: 'accuracy', name: 'accuracy', look: { colour: '#0072b2', dash: 'none', width: 2.8 } },
  { quantity: 'bound', name: 'guaranteed', look: { colour: '#1f2933', dash: '8 3 2 3', width: 1.6 } },
]
