import * as Plot from '@observablehq/plot'
import { methodTitle } from '../experiment/method-names.ts'
import { errorAxis } from './error-scale.ts'
import { spreadLabels } from './labels.ts'
import type { Look } from './look.ts'
import { drawPlot, escapeText, FAINT, GRID, pathOf, round, textAt } from './svg.ts'
import type { ValueAxis } from './value-axis.ts'

/** One line of a chart. */
export interface Series {
  label: string
  look: Look
  points: readonly Point[]
  /** What another source says of the same: diamonds, named when pointed at. */
  reference?: { readonly name: string; readonly points: readonly { x: number; y: number }[] }
  /** Drawn pale and without its name: what others are compared with. */
  background?: boolean
}

/** A point with the band around it. */
export interface Point {
  x: number
  y: number
  low: number
  high: number
}

/** What a line chart shows beside its lines. */
export interface LineChartOptions {
  title: string
  xLabel: string
  width: number
  height: number
  /** Ticks of the x axis and their names. */
  xTicks: readonly { at: number; name: string }[]
  /** Points at which networks were refitted (triangles below) and weights restarted (dotted lines). */
  drifts?: readonly number[]
  restarts?: readonly number[]
  dots?: boolean
  /** Draw only the bands of thick lines. */
  fewBands?: boolean
  /** Lowest value shown; what is below stays at the edge. Default 0 for accuracies, none for other values. */
  floor?: number
  /** Name of the values. Default `accuracy`. */
  yLabel?: string
  /** The upright axis for values between two. Default: logarithmic in the error. */
  axis?: (low: number, high: number) => ValueAxis
}

const TOP = 46
const RIGHT = 124
const BOTTOM = 46
const LEFT = 46

/** Colour of the marks of refitted networks. */
const DRIFT = '#d55e00'

/**
 * Lines, each with its name at its end and a band of ± one deviation; accuracies on an axis logarithmic in the error.
 */
export function lineChart(series: readonly Series[], options: LineChartOptions): string {
  const { width, height, xTicks, axis: axisFor = errorAxis, yLabel = 'accuracy' } = options
  const { floor = options.axis ? -Infinity : 0 } = options
  const values = series.flatMap(({ points, reference }) => [...points, ...(reference?.points ?? [])].map(({ y }) => y))
  const axis = axisFor(Math.max(floor, Math.min(...values)), Math.max(...values))
  const place = (accuracy: number) => Math.min(axis.domain[1], Math.max(axis.domain[0], axis.place(accuracy)))
  const xs = series.flatMap(({ points }) => points.map(({ x }) => x))
  const xDomain: [number, number] = [Math.min(...xs, xTicks[0].at), Math.max(...xs)]
  const xPixel = (x: number) => LEFT + ((width - LEFT - RIGHT) * (x - xDomain[0])) / (xDomain[1] - xDomain[0] || 1)
  const yPixel = (accuracy: number) =>
    TOP + (height - TOP - BOTTOM) * (1 - (place(accuracy) - axis.domain[0]) / (axis.domain[1] - axis.domain[0]))
  const plot = {
    width,
    height,
    marginTop: TOP,
    marginRight: RIGHT,
    marginBottom: BOTTOM,
    marginLeft: LEFT,
    x: { domain: xDomain, axis: null },
    y: { domain: axis.domain, axis: null },
    marks: [
      Plot.gridY(axis.ticks, { stroke: GRID, strokeOpacity: 1 }),
      Plot.axisY(axis.ticks, { tickFormat: axis.format, tickSize: 0, label: null, fill: FAINT, fontSize: 11 }),
      ...series
        .filter(
          ({ points, look, background }) =>
            !background && (look.width > 2 || !options.fewBands) && points.some(({ low, high }) => high > low),
        )
        .map((one) => band(one, place)),
      ...series.flatMap((one) => lines(one, place, options.dots === true && !one.background)),
    ],
  }
  const overlay = [
    textAt(8, 14, options.title, { size: 14, weight: 600 }),
    textAt(8, 33, yLabel, { size: 11, fill: FAINT }),
    textAt(width - RIGHT, height - 12, options.xLabel, { size: 11, fill: FAINT, anchor: 'end' }),
    ...xTicks.map(({ at, name }) =>
      textAt(xPixel(at), height - BOTTOM + 16, name, { size: 11, fill: FAINT, anchor: 'middle' }),
    ),
    ...(options.restarts ?? []).map((at) =>
      pathOf(`M${round(xPixel(at))},${TOP}V${height - BOTTOM}`, '#9aa5b1', 0.8, '1 3'),
    ),
    ...(options.drifts ?? []).map((at) => triangle(xPixel(at), height - BOTTOM)),
    ...endLabels(
      series.filter(({ background }) => !background),
      xPixel(xDomain[1]),
      yPixel,
      height,
    ),
    ...series.filter(({ background }) => !background).flatMap((one) => pointers(one, xPixel, yPixel, xTicks)),
  ]
  return drawPlot(plot, overlay.join(''))
}

function band({ points, look }: Series, place: (accuracy: number) => number): Plot.Markish {
  const channels = { x: 'x', y1: (p: Point) => place(p.low), y2: (p: Point) => place(p.high) }
  return Plot.areaY(points, { ...channels, fill: look.colour, fillOpacity: look.width > 2 ? 0.2 : 0.09 })
}

function lines({ points, look }: Series, place: (accuracy: number) => number, dots: boolean): Plot.Markish[] {
  const { colour, dash, width } = look
  const channels = { x: 'x', y: (p: Point) => place(p.y), stroke: colour }
  const line = Plot.line(points, { ...channels, strokeWidth: width, strokeDasharray: dash, strokeLinejoin: 'round' })
  return dots
    ? [line, Plot.dot(points, { ...channels, fill: 'white', r: width > 2 ? 3.2 : 2.4, strokeWidth: 1.4 })]
    : [line]
}

/** How many points of a line say their values; more would only lie on each other. */
const POINTERS = 25

/** What shows its value when it is pointed at: points of the line, unseen, and the diamonds of a reference. */
function pointers(
  { label, look, points, reference }: Series,
  xPixel: (x: number) => number,
  yPixel: (accuracy: number) => number,
  xTicks: LineChartOptions['xTicks'],
): string[] {
  const at = (x: number) => xTicks.find((tick) => tick.at === x)?.name ?? Math.round(x).toLocaleString('en-US')
  const step = Math.ceil(points.length / POINTERS)
  const hit = points
    .filter((_, i) => (points.length - 1 - i) % step === 0)
    .map(({ x, y, high }) => {
      const band = high > y ? ` ± ${(high - y).toFixed(3)}` : ''
      const title = escapeText(`${methodTitle(label)} at ${at(x)}: ${y.toFixed(4)}${band}`)
      return `<circle cx="${round(xPixel(x))}" cy="${round(yPixel(y))}" r="6" fill="transparent"><title>${title}</title></circle>`
    })
  const diamonds = (reference?.points ?? []).map(({ x, y }) => {
    const title = escapeText(`${reference?.name}: ${methodTitle(label)} at ${at(x)}: ${y.toFixed(3)}`)
    return `<path d="M${round(xPixel(x))},${round(yPixel(y) - 5)}l5,5l-5,5l-5,-5z" fill="white" stroke="${look.colour}" stroke-width="1.8"><title>${title}</title></path>`
  })
  return [...hit, ...diamonds]
}

function triangle(x: number, y: number): string {
  return `<path d="M${round(x)},${y - 6}l3.5,6h-7z" fill="${DRIFT}"/>`
}

/** Names at the ends of the lines, moved apart, each with a piece of its line leading to it. */
function endLabels(
  series: readonly Series[],
  x: number,
  yPixel: (accuracy: number) => number,
  height: number,
): string[] {
  const ends = series.map(({ points }) => yPixel((points.at(-1) as Point).y))
  const places = spreadLabels(ends, 12.5, TOP, height - BOTTOM)
  return series.map(({ label, look }, i) => {
    const leader = `M${round(x + 4)},${round(ends[i])}L${round(x + 10)},${round(places[i])}H${round(x + 24)}`
    const name = textAt(x + 28, places[i], methodTitle(label), { size: 11, weight: look.width > 2 ? 700 : 400 })
    return pathOf(leader, look.colour, look.width > 2 ? 2.4 : 1.4, look.dash) + name
  })
}
