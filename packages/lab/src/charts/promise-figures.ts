import type { ReliabilityBin } from '@pb-oel/core'
import type { PromiseCurve } from '../promises/promise-curve.ts'
import type { PromiseRow } from '../promises/promise-row.ts'
import { overTime } from './figures.ts'
import { type LineChartOptions, lineChart, type Series } from './line-chart.ts'
import { linearAxis } from './linear-axis.ts'

const TRUE = { colour: '#0072b2', dash: 'none', width: 2.8 }
const PROMISED = { colour: '#d55e00', dash: '6 3', width: 1.8 }
const TRUE_WINDOW = { colour: '#56b4e9', dash: 'none', width: 1.4 }
const PROMISED_WINDOW = { colour: '#e69f00', dash: '2 2', width: 1.4 }
const LIMIT = { colour: '#1f2933', dash: '1 3', width: 1.4 }

/** Share of a curve that is not drawn: the first samples, whose figures would squeeze all others. */
const LEFT_OUT = 0.05
/** Bins with a smaller share of the samples are not drawn: chance rules them. */
const FEW = 0.002

/** Promise C: certified accuracy beside the true one, of all samples and of the window; undefined without promise. */
export function certifiedOverTime({ setting, curve }: PromiseRow): string | undefined {
  if (curve.certified.length === 0) return undefined
  return lineChart(
    [
      line(curve, 'accuracy', 'accuracy', TRUE),
      line(curve, 'windowAccuracy', 'window', TRUE_WINDOW),
      line(curve, 'certified', 'certified', PROMISED),
      line(curve, 'windowCertified', 'window certified', PROMISED_WINDOW),
    ],
    { ...panel(setting, curve), floor: 0 },
  )
}

/** Promise B: the bound of the regret beside the regret; undefined where it does not apply. */
export function regretOverTime({ setting, curve }: PromiseRow): string | undefined {
  if (curve.regretBound.length === 0) return undefined
  return lineChart([line(curve, 'regretBound', 'at most', PROMISED), line(curve, 'regret', 'true regret', TRUE)], {
    ...panel(setting, curve),
    yLabel: 'regret per sample',
    axis: linearAxis,
  })
}

/** Promise D: share of safe-side levels that were too safe, against its target. */
export function missesOverTime({ setting, curve }: PromiseRow, target: number): string {
  const limit = { ...curve, safeSideMisses: curve.samples.map(() => target) }
  return lineChart(
    [line(curve, 'safeSideMisses', 'misses', TRUE), line(limit, 'safeSideMisses', `target ${target}`, LIMIT)],
    { ...panel(setting, curve), yLabel: 'share of samples', axis: (_, high) => linearAxis(0, high) },
  )
}

/** Promise E: share of right assessments over the confidence shown, raw and recalibrated. */
export function reliabilityCurve(row: PromiseRow): string {
  const { setting, reliability, rawReliability, calibrationError, rawCalibrationError } = row
  const diagonal = [0, 1].map((x) => ({ x, y: x, low: x, high: x }))
  const series = [
    { label: 'raw', look: PROMISED, points: binPoints(rawReliability) },
    { label: 'recalibrated', look: TRUE, points: binPoints(reliability) },
  ]
  return lineChart([{ label: 'as it should be', look: LIMIT, points: diagonal }, ...series], {
    title: `${setting}: error ${calibrationError.toFixed(3)}, raw ${rawCalibrationError.toFixed(3)}`,
    width: 460,
    height: 280,
    dots: true,
    xLabel: 'confidence shown',
    xTicks: [0, 0.25, 0.5, 0.75, 1].map((at) => ({ at, name: String(at) })),
    yLabel: 'share of right assessments',
    axis: () => linearAxis(0, 1),
  })
}

function panel(title: string, { samples }: PromiseCurve): Omit<LineChartOptions, 'axis'> {
  return { ...overTime(samples.at(-1) as number), title, width: 460, height: 240 }
}

function line(curve: PromiseCurve, name: keyof PromiseCurve, label: string, look: Series['look']): Series {
  const values = curve[name]
  const points = curve.samples.map((x, i) => ({ x, y: values[i], low: values[i], high: values[i] }))
  return { label, look, points: points.slice(Math.floor(LEFT_OUT * points.length)) }
}

function binPoints(bins: readonly ReliabilityBin[]) {
  const total = bins.reduce((sum, { weight }) => sum + weight, 0)
  return bins
    .filter(({ weight }) => weight > FEW * total)
    .map(({ confidence: x, accuracy: y }) => ({ x, y, low: y, high: y }))
}
