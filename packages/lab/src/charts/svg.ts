import * as Plot from '@observablehq/plot'
import { Resvg } from '@resvg/resvg-js'
import { parseHTML } from 'linkedom'

/** Fonts people have; in PNGs the first of the machine's. */
export const FONT = 'Inter, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", "DejaVu Sans", sans-serif'

/** Colours of text and rules, readable on white and in print. */
export const INK = '#1f2933'
export const FAINT = '#5f6c7b'
export const GRID = '#e4e7eb'

/**
 * Draws a plot as SVG text.
 *
 * @param overlay SVG elements on top, in pixels
 */
export function drawPlot(options: Plot.PlotOptions, overlay = ''): string {
  const { document } = parseHTML('<!doctype html><html><body></body></html>')
  const drawn = Plot.plot({
    document,
    ...options,
    style: { fontFamily: FONT, fontSize: '12px', color: INK, background: 'white', ...(options.style as object) },
  })
  return drawn.outerHTML
    .replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ')
    .replace(/ class="plot-[0-9a-f]+"/, '')
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/<\/svg>$/, `${overlay}</svg>`)
}

/** How a text of an overlay looks. */
export interface TextStyle {
  size?: number
  weight?: number
  fill?: string
  anchor?: 'start' | 'middle' | 'end'
  rotate?: number
}

/** A line of text whose middle height is at `y`. */
export function textAt(x: number, y: number, text: string, style: TextStyle = {}): string {
  const { size = 12, weight = 400, fill = INK, anchor = 'start', rotate } = style
  const turn = rotate === undefined ? '' : ` transform="rotate(${rotate} ${round(x)} ${round(y)})"`
  return `<text x="${round(x)}" y="${round(y)}" dy="0.35em" font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="${anchor}"${turn}>${escapeText(text)}</text>`
}

/** A path of an overlay. */
export function pathOf(d: string, stroke: string, width = 1, dash = 'none'): string {
  return `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-dasharray="${dash}"/>`
}

/** A pixel position with two decimals, so that files stay small and the same. */
export const round = (value: number): number => Math.round(value * 100) / 100

/** Puts drawings side by side, `columns` in a row, under one another's titles. */
export function gridOf(drawings: readonly string[], columns: number): string {
  const sizes = drawings.map(size)
  const width = Math.max(...sizes.map(({ width }) => width))
  const height = Math.max(...sizes.map(({ height }) => height))
  const rows = Math.ceil(drawings.length / columns)
  const across = Math.min(columns, drawings.length)
  const placed = drawings.map((drawing, i) =>
    drawing.replace('<svg ', `<svg x="${(i % columns) * width}" y="${Math.floor(i / columns) * height}" `),
  )
  const [fullWidth, fullHeight] = [across * width, rows * height]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${fullWidth} ${fullHeight}" width="${fullWidth}" height="${fullHeight}"><rect width="100%" height="100%" fill="white"/>${placed.join('')}</svg>`
}

/** Width and height of a drawing, as its root says. */
export function size(svg: string): { width: number; height: number } {
  const [, width, height] = svg.match(/viewBox="0 0 ([\d.]+) ([\d.]+)"/) ?? ['', '0', '0']
  return { width: Number(width), height: Number(height) }
}

/** A drawing as PNG, two pixels per unit. */
export function toPng(svg: string): Uint8Array {
  return new Resvg(svg, {
    background: 'white',
    fitTo: { mode: 'zoom', value: 2 },
    font: { loadSystemFonts: true, defaultFontFamily: 'Liberation Sans', sansSerifFamily: 'Liberation Sans' },
  })
    .render()
    .asPng()
}

/** Text as it may stand in SVG and HTML. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
