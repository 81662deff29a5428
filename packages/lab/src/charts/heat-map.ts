import * as Plot from '@observablehq/plot'
import { bestPoint, type Landscape } from '../analysis/landscape.ts'
import { escapeText, FAINT, FONT, INK, round, textAt } from './svg.ts'

const CELL = { width: 36, height: 30 }
const TOP = 52
const LEFT = 48
const BOTTOM = 42

/**
 * One panel of Fig. 3: accuracy over c × α with its values. A dot marks points where γ was cut to 1, a thick frame the
 * best point, a dashed frame the region the paper recommends.
 *
 * @param range accuracies of the palest and the darkest colour, the same for all panels
 * @param printed what the paper prints for its choice of c and α
 */
export function heatMap(landscape: Landscape, range: [number, number], printed?: number): string {
  const { rho, cs, alphas, points } = landscape
  const width = LEFT + alphas.length * CELL.width + 14
  const height = TOP + cs.length * CELL.height + BOTTOM
  const colour = Plot.scale({ color: { type: 'linear', scheme: 'ylgnbu', domain: range } })
  const middle = (range[0] + range[1]) / 2
  const best = bestPoint(landscape)
  const left = (alpha: number) => LEFT + alphas.indexOf(alpha) * CELL.width
  // Small c at the bottom, as on any axis.
  const top = (c: number) => TOP + (cs.length - 1 - cs.indexOf(c)) * CELL.height
  const cells = points.map(({ c, alpha, accuracy, capped }) => {
    const ink = accuracy > middle ? 'white' : INK
    const name = `c = ${c}, α = ${alpha}: ${accuracy.toFixed(4)}${capped ? ', γ cut to 1' : ''}`
    const value = accuracy.toFixed(3).replace(/^0/, '')
    return [
      `<rect x="${left(alpha)}" y="${top(c)}" width="${CELL.width}" height="${CELL.height}" fill="${colour.apply(accuracy)}" stroke="white"><title>${escapeText(name)}</title></rect>`,
      textAt(left(alpha) + CELL.width / 2, top(c) + CELL.height / 2, value, { size: 11, fill: ink, anchor: 'middle' }),
      capped ? `<circle cx="${left(alpha) + CELL.width - 5}" cy="${top(c) + 5}" r="2" fill="${ink}"/>` : '',
    ].join('')
  })
  const ticks = [
    ...alphas.map((alpha) =>
      textAt(left(alpha) + CELL.width / 2, height - BOTTOM + 12, String(alpha), {
        size: 11,
        fill: FAINT,
        anchor: 'middle',
      }),
    ),
    ...cs.map((c) => textAt(LEFT - 7, top(c) + CELL.height / 2, String(c), { size: 11, fill: FAINT, anchor: 'end' })),
    textAt(width - 14, height - 12, 'restart exponent α', { size: 11, fill: FAINT, anchor: 'end' }),
    textAt(8, 36, 'scaling factor c', { size: 11, fill: FAINT }),
    textAt(8, 14, `ρ = ${rho}`, { size: 14, weight: 600 }),
    ...(printed === undefined
      ? []
      : [textAt(width - 14, 36, `paper, c = 0.1, α = 0.8: ${printed}`, { size: 11, fill: FAINT, anchor: 'end' })]),
  ]
  const frames = [
    ...recommended(cs, alphas, left, top),
    `<rect x="${left(best.alpha) + 1}" y="${top(best.c) + 1}" width="${CELL.width - 2}" height="${CELL.height - 2}" fill="none" stroke="#d55e00" stroke-width="2.5"/>`,
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" width="${width}" height="${height}" font-family='${FONT}' role="img"><rect width="100%" height="100%" fill="white"/>${[...cells, ...frames, ...ticks].join('')}</svg>`
}

function recommended(
  cs: number[],
  alphas: number[],
  left: (alpha: number) => number,
  top: (c: number) => number,
): string[] {
  const inC = cs.filter((c) => c >= 0.05 && c <= 0.5)
  const inAlpha = alphas.filter((alpha) => alpha >= 0.5 && alpha <= 0.9)
  if (inC.length === 0 || inAlpha.length === 0) return []
  const [x, y] = [left(inAlpha[0]), top(inC[inC.length - 1])]
  const box = `<rect x="${x}" y="${y}" width="${inAlpha.length * CELL.width}" height="${inC.length * CELL.height}" fill="none"`
  // White under the dashes, so that they show on dark and on pale cells.
  return [
    `${box} stroke="white" stroke-width="3"/>`,
    `${box} stroke="${INK}" stroke-width="1.6" stroke-dasharray="5 3"/>`,
  ]
}
