// One package in the picture of the architecture: its name, what it is for, and its folders in rows.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path/posix'
import { graphOf, type Package, sourceRoot } from './imports.ts'
import { isBend, layersOf } from './layered-graph.ts'
import { arrowBetween, type Box, colourOf, escaped, textWidth } from './svg.ts'

const PADDING = 16
const CHIP_HEIGHT = 24
const CHIP_GAP = 12
const ROW_GAP = 26
const BEND_WIDTH = 6
const WIDEST_ROW = 600
const ABOUT_SIZE = 11.5

interface Chip {
  readonly name: string
  readonly file: boolean
  readonly width: number
}

export interface Card {
  readonly folder: string
  readonly name: string
  readonly about: readonly string[]
  readonly rows: readonly (readonly Chip[])[]
  readonly paths: readonly (readonly string[])[]
  readonly rowGap: number
  readonly width: number
}

/** The card of a package. A package of files without folders shows the files, and no arrows between them. */
export function cardOf({ folder }: Package): Card {
  const nodes = graphOf(sourceRoot(folder))
  const folders = [...nodes.keys()].filter((name) => !name.includes('.'))
  const layered = folders.length > 1
  const graph = new Map(folders.map((name) => [name, onlyFolders(nodes.get(name)?.keys() ?? [])]))
  const { rows, paths } = layered
    ? layersOf(graph)
    : { rows: lines([...nodes.keys()].filter(isWorthShowing)), paths: [] }
  const chips = rows.map((row) => row.map(chipOf))
  const width = Math.max(280, ...chips.map(rowWidth)) + 2 * PADDING
  const { description } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { description: string }
  const about = wrapped(description, width - 2 * PADDING)
  const rowGap = layered ? ROW_GAP : CHIP_GAP - 4
  return { folder, name: basename(folder), about, rows: chips, paths, rowGap, width }
}

/** Height of a card, from its content. */
export function height({ about, rows, rowGap }: Card): number {
  return headHeight(about) + rows.length * CHIP_HEIGHT + (rows.length - 1) * rowGap + PADDING
}

/** A card as SVG, its upper left corner at (x, y). */
export function drawCard(card: Card, x: number, y: number): string {
  const boxes = boxesOf(card, x, y)
  const about = card.about.map(
    (line, i) => `<text class="about" x="${x + PADDING}" y="${y + 44 + i * 15}">${escaped(line)}</text>`,
  )
  return [
    `<g class="${colourOf(card.name)}">`,
    `<rect class="card" x="${x}" y="${y}" width="${card.width}" height="${height(card)}" rx="10"/>`,
    `<text class="title" x="${x + PADDING}" y="${y + 25}">${card.name}</text>`,
    ...about,
    ...card.paths.map((path) => arrowBetween('inside', path, card.paths, boxes, 5)),
    ...card.rows
      .flat()
      .filter(({ name }) => !isBend(name))
      .map((chip) => drawChip(chip, boxes.get(chip.name) as Box)),
    '</g>',
  ].join('\n')
}

/** Where the chips and the bends of arrows stand. */
function boxesOf(card: Card, x: number, y: number): Map<string, Box> {
  const boxes = new Map<string, Box>()
  card.rows.forEach((row, i) => {
    let left = card.paths.length > 0 ? x + (card.width - rowWidth(row)) / 2 : x + PADDING
    const top = y + headHeight(card.about) + i * (CHIP_HEIGHT + card.rowGap)
    for (const { name, width } of row) {
      boxes.set(name, { x: left, y: top, width, height: CHIP_HEIGHT })
      left += width + CHIP_GAP
    }
  })
  return boxes
}

function drawChip({ name, file, width }: Chip, { x, y }: Box): string {
  const shape = file ? 'chip file' : 'chip'
  return (
    `<rect class="${shape}" x="${x}" y="${y}" width="${width}" height="${CHIP_HEIGHT}" rx="6"/>` +
    `<text class="name" x="${x + width / 2}" y="${y + 16}">${name}</text>`
  )
}

const headHeight = (about: readonly string[]): number => 44 + about.length * 15

const rowWidth = (row: readonly Chip[]): number =>
  row.reduce((sum, { width }) => sum + width, CHIP_GAP * (row.length - 1))

const chipOf = (node: string): Chip => {
  if (isBend(node)) return { name: node, file: false, width: BEND_WIDTH }
  const name = node.replace(/\.tsx?$/, '')
  return { name, file: name !== node, width: textWidth(name, 12) + 18 }
}

const isWorthShowing = (node: string): boolean => !/^(index|main)\./.test(node)

const onlyFolders = (names: Iterable<string>): Set<string> => new Set([...names].filter((name) => !name.includes('.')))

/** Names in lines that fit into a card. */
function lines(names: readonly string[]): string[][] {
  const result: string[][] = [[]]
  for (const name of names) {
    const line = result[result.length - 1]
    if (line.length > 0 && rowWidth([...line, name].map(chipOf)) > WIDEST_ROW) result.push([name])
    else line.push(name)
  }
  return result
}

function wrapped(text: string, width: number): string[] {
  const result = ['']
  for (const word of text.split(' ')) {
    const line = `${result[result.length - 1]} ${word}`.trim()
    if (textWidth(line, ABOUT_SIZE) > width) result.push(word)
    else result[result.length - 1] = line
  }
  return result
}
