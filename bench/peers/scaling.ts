import { setImmediate } from 'node:timers/promises'
import type { Result } from '../src/benchmark.ts'
import { scalingBench } from '../src/scaling-bench.ts'

/** What each letter is. */
const NAMES: Record<string, string> = {
  d: 'channels d',
  L: 'nodes L',
  N: 'experts N',
  K: 'levels K',
  T: 'samples so far T',
}

interface Curve {
  readonly letter: string
  readonly exponent: number
  readonly points: readonly (readonly [x: number, micros: number])[]
}

/** What the scaling was measured to be, in three forms. */
export interface Scaling {
  readonly csv: string
  readonly markdown: string
  readonly svg: string
}

/** The scaling benchmark as CSV, as a table and as a chart. */
export async function measureScaling(seconds: number, signal: AbortSignal): Promise<Scaling> {
  await setImmediate()
  signal.throwIfAborted()
  const results = await scalingBench.run({ seconds })
  const all = curves(results)
  const rows = all.map(
    ({ letter, exponent, points }) =>
      `| ${NAMES[letter]} | ${exponent.toFixed(2)} | ${points.map(([x, y]) => `${x}: ${y.toPrecision(3)}`).join(', ')} |`,
  )
  const header = '| over | exponent | µs per sample |\n| --- | --- | --- |'
  return {
    csv: `variant,median,low,high,unit\n${results.map((r) => [r.variant, r.median, r.low, r.high, r.unit].join(',')).join('\n')}\n`,
    markdown: `### Scaling\n\n${header}\n${rows.join('\n')}\n\n![Cost per sample over d, L, N, K and T](scaling.svg)`,
    svg: chart(all),
  }
}

function curves(results: readonly Result[]): Curve[] {
  return Object.keys(NAMES).map((letter) => ({
    letter,
    exponent: results.find(({ variant }) => variant === `growth over ${letter}`)?.median ?? Number.NaN,
    points: results
      .filter(({ variant }) => variant.startsWith(`${letter}=`))
      .map(({ variant, low }) => [Number(variant.split('=')[1]), low] as const),
  }))
}

const PANEL = 190
const HEIGHT = 220
const MARGIN = { left: 44, right: 14, top: 34, bottom: 36 }

/** One panel per curve, both axes logarithmic, the same cost axis in all. */
function chart(all: readonly Curve[]): string {
  const micros = all.flatMap(({ points }) => points.map(([, y]) => y))
  const costs = decades(Math.min(...micros), Math.max(...micros))
  const panels = all.map((curve, i) => `<g transform="translate(${i * PANEL},0)">${panel(curve, costs)}</g>`)
  const size = `width="${PANEL * all.length}" height="${HEIGHT}" viewBox="0 0 ${PANEL * all.length} ${HEIGHT}"`
  const style = 'font-family="sans-serif" font-size="11" fill="#1f2933"'
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${style}><title>Cost per sample of PB-OEL</title><rect width="100%" height="100%" fill="white"/>${panels.join('')}</svg>\n`
}

function panel({ letter, exponent, points }: Curve, costs: readonly number[]): string {
  const values = points.map(([x]) => x)
  const across = scale([values[0], values.at(-1) as number], [MARGIN.left, PANEL - MARGIN.right])
  const up = scale([costs[0], costs.at(-1) as number], [HEIGHT - MARGIN.bottom, MARGIN.top])
  const text = (x: number, y: number, words: string, more = '') => `<text x="${x}" y="${y}" ${more}>${words}</text>`
  const grid = costs.map(
    (cost) =>
      `<path d="M${MARGIN.left},${up(cost)}H${PANEL - MARGIN.right}" stroke="#e4e7eb"/>` +
      text(MARGIN.left - 4, up(cost) + 4, String(cost), 'text-anchor="end"'),
  )
  const ticks = values.map((x) =>
    text(across(x), HEIGHT - MARGIN.bottom + 14, String(x), 'text-anchor="middle" font-size="9"'),
  )
  const line = points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${across(x)},${up(y)}`).join('')
  return [
    text(MARGIN.left, 16, `over ${NAMES[letter]}`, 'font-weight="600"'),
    text(MARGIN.left, 29, `µs per sample, exponent ${exponent.toFixed(2)}`, 'fill="#5f6c7b" font-size="10"'),
    ...grid,
    ...ticks,
    `<path d="${line}" fill="none" stroke="#0072b2" stroke-width="2"/>`,
    ...points.map(([x, y]) => `<circle cx="${across(x)}" cy="${up(y)}" r="3" fill="#0072b2"/>`),
  ].join('')
}

/** A logarithmic scale, rounded to tenths of a pixel. */
function scale([a, b]: readonly [number, number], [from, to]: readonly [number, number]): (value: number) => number {
  return (value) => Math.round(10 * (from + ((to - from) * Math.log(value / a)) / Math.log(b / a))) / 10
}

/** Powers of ten around the values. */
function decades(least: number, most: number): number[] {
  const [first, last] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))]
  return Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i))
}
