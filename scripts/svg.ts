// Pieces of SVG that the picture of the architecture is put together from. It is readable on light and dark pages.

/** Hue of each package, in degrees; a package that has none here is grey. */
const HUES: Readonly<Record<string, number>> = {
  core: 245,
  protocol: 175,
  lab: 145,
  server: 25,
  web: 325,
  cli: 205,
  bench: 45,
}

const paint = (name: string, hue: number, colourful: number): string => {
  const tone = (saturation: number, light: number) => `hsl(${hue} ${saturation * colourful}% ${light}%)`
  const rules = (card: string, edge: string, chip: string, title: string) =>
    `.${name} .card{fill:${card};stroke:${edge}}.${name} .chip{fill:${chip};stroke:${edge}}` +
    `.${name} .title{fill:${title}}.${name} .inside{stroke:${edge}}.${name} .head{fill:${edge}}`
  return (
    rules(tone(60, 97), tone(45, 68), tone(0, 100), tone(60, 32)) +
    `@media (prefers-color-scheme:dark){${rules(tone(30, 13), tone(35, 45), tone(30, 18), tone(70, 80))}}`
  )
}

/** The style sheet of the picture, inside the picture. */
export const STYLE = `<style>
text{font-family:system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif;fill:#1f2430}
.page{fill:#ffffff}.title{font-size:17px;font-weight:700}.about{font-size:11.5px;fill:#5a6172}
.chip{stroke-width:1}.file{stroke-dasharray:2 2}.name{font-size:12px;text-anchor:middle}.card{stroke-width:1.5}
.inside{fill:none;stroke-width:1.2;opacity:.75}.between{fill:none;stroke:#8a92a6;stroke-width:2.2}
.between-head{fill:#8a92a6}
@media (prefers-color-scheme:dark){text{fill:#e6e9f0}.page{fill:#0f1218}.about{fill:#a2a9b8}
.between{stroke:#6d7588}.between-head{fill:#6d7588}}
${Object.entries(HUES)
  .map(([name, hue]) => paint(name, hue, 1))
  .join('\n')}
${paint('other', 0, 0)}
</style>`

/** The class that colours a package. */
export const colourOf = (name: string): string => (name in HUES ? name : 'other')

interface Point {
  readonly x: number
  readonly y: number
}

/** A curve down through the points, with a head of `size` at its end. */
function downward(kind: 'inside' | 'between', points: readonly Point[], size: number): string {
  const last = points[points.length - 1]
  const stops = [...points.slice(0, -1), { x: last.x, y: last.y - size }]
  const curves = stops.slice(1).map(({ x, y }, i) => {
    const from = stops[i]
    const bend = (y - from.y) / 2
    return `C${round(from.x)} ${round(from.y + bend)} ${round(x)} ${round(y - bend)} ${round(x)} ${round(y)}`
  })
  const path = `M${round(stops[0].x)} ${round(stops[0].y)}${curves.join('')}`
  const head = `M${round(last.x - size / 2)} ${round(last.y - size - 1)}h${size}L${round(last.x)} ${round(last.y - 1)}z`
  const shape = kind === 'inside' ? 'head' : 'between-head'
  return `<path class="${kind}" d="${path}"/><path class="${shape}" d="${head}"/>`
}

export interface Box extends Point {
  readonly width: number
  readonly height: number
}

/**
 * An arrow along a path of boxes: arrows that share an edge of a box leave and arrive in the order of their other ends.
 */
export function arrowBetween(
  kind: 'inside' | 'between',
  path: readonly string[],
  paths: readonly (readonly string[])[],
  boxes: ReadonlyMap<string, Box>,
  size: number,
): string {
  const box = (name: string) => boxes.get(name) as Box
  const middle = (name: string) => box(name).x + box(name).width / 2
  const [from, to] = [path[0], path[path.length - 1]]
  const share = (name: string, others: string[], other: string) => {
    const order = others.sort((a, b) => middle(a) - middle(b))
    return box(name).x + (box(name).width * (order.indexOf(other) + 1)) / (order.length + 1)
  }
  const leaving = paths.filter(([first]) => first === from).map(([, next]) => next)
  const arriving = paths.filter((one) => one[one.length - 1] === to).map((one) => one[one.length - 2])
  const bends = path.slice(1, -1).flatMap((name) => [
    { x: middle(name), y: box(name).y },
    { x: middle(name), y: box(name).y + box(name).height },
  ])
  const start = { x: share(from, leaving, path[1]), y: box(from).y + box(from).height }
  const end = { x: share(to, arriving, path[path.length - 2]), y: box(to).y }
  return downward(kind, [start, ...bends, end], size)
}

/** About how wide a text is; fonts differ, so there is room to spare. */
export const textWidth = (text: string, size: number): number => Math.ceil(text.length * size * 0.58)

export const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const round = (value: number): number => Math.round(value * 10) / 10
