import type { StreamComparison } from '../analysis/comparison.ts'
import { methodTitle } from '../experiment/method-names.ts'
import { FAINT, FONT, INK, pathOf, round, textAt } from './svg.ts'

const WIDTH = 820
const LEFT = 150
const RIGHT = WIDTH - 150
const AXIS = 92
const ROW = 22

/**
 * Critical-difference diagram (Demšar 2006): methods on the axis of mean ranks, the best at the left; a bar joins
 * methods whose ranks are closer than the critical difference.
 */
export function criticalDifferenceDiagram(
  comparison: Pick<StreamComparison, 'methods' | 'streams' | 'ranks' | 'criticalDifference'>,
): string {
  const { methods, ranks, criticalDifference: gap } = comparison
  const k = methods.length
  const x = (rank: number) => round(LEFT + ((RIGHT - LEFT) * (rank - 1)) / (k - 1))
  const sorted = methods.map((method, i) => ({ method, rank: ranks[i] })).sort((a, b) => a.rank - b.rank)
  const bars = cliques(
    sorted.map(({ rank }) => rank),
    gap,
  )
  const firstRow = AXIS + 24 + bars.length * 9
  const half = Math.ceil(k / 2)
  const height = firstRow + half * ROW + 12
  const parts = [
    textAt(8, 14, `Mean rank over ${comparison.streams.length} streams`, { size: 14, weight: 600 }),
    textAt(8, 34, 'further left is better; methods joined by a bar cannot be told apart at the 5 % level (Nemenyi)', {
      size: 11,
      fill: FAINT,
    }),
    pathOf(`M${LEFT},${AXIS}H${RIGHT}`, INK, 1.2),
    ...Array.from(
      { length: k },
      (_, i) =>
        pathOf(`M${x(i + 1)},${AXIS - 6}V${AXIS}`, INK) +
        textAt(x(i + 1), AXIS - 14, String(i + 1), { size: 11, anchor: 'middle' }),
    ),
    criticalBar(x, Math.min(gap, k - 1), gap),
    ...bars.map(([from, to], i) => pathOf(`M${x(from) - 4},${AXIS + 12 + i * 9}H${x(to) + 4}`, INK, 3.5)),
    ...sorted.map(({ method, rank }, i) => {
      const onLeft = i < half
      const y = firstRow + (onLeft ? i : k - 1 - i) * ROW
      const end = onLeft ? LEFT - 12 : RIGHT + 12
      const name = `${methodTitle(method)}  ${rank.toFixed(2)}`
      const weight = method.startsWith('pb-oel') ? 700 : 400
      return (
        pathOf(
          `M${x(rank)},${AXIS}V${y}H${end}`,
          method === 'pb-oel' ? '#0072b2' : FAINT,
          method === 'pb-oel' ? 2 : 1,
        ) + textAt(onLeft ? end - 5 : end + 5, y, name, { size: 12, weight, anchor: onLeft ? 'end' : 'start' })
      )
    }),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family='${FONT}' role="img"><rect width="100%" height="100%" fill="white"/>${parts.join('')}</svg>`
}

function criticalBar(x: (rank: number) => number, shown: number, gap: number): string {
  const y = 58
  const [from, to] = [x(1), x(1 + shown)]
  const ends = `M${from},${y - 4}v8M${to},${y - 4}v8`
  return (
    pathOf(`M${from},${y}H${to}${ends}`, INK, 1.2) +
    textAt(to + 8, y, `critical difference ${gap.toFixed(2)}`, { size: 11 })
  )
}

/** Longest runs of sorted ranks that lie within `gap`, from first to last rank, none inside another. */
export function cliques(ranks: readonly number[], gap: number): [number, number][] {
  const runs: [number, number][] = []
  let reached = -1
  ranks.forEach((rank, i) => {
    const last = ranks.findLastIndex((other) => other - rank <= gap)
    if (last > i && last > reached) {
      runs.push([rank, ranks[last]])
      reached = last
    }
  })
  return runs
}
