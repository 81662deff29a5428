// Draws docs/images/architecture.svg from the imports: packages, their folders, and which imports which.
// `npm run docs:architecture` writes it; `npm run check` fails when the committed picture is not the one drawn now.
import { readFileSync, writeFileSync } from 'node:fs'
import { type Card, height as cardHeight, cardOf, drawCard } from './architecture-card.ts'
import { importsOf, type Package, packageOf, packages, sourceFiles, sourceRoot } from './imports.ts'
import { layersOf } from './layered-graph.ts'
import { arrowBetween, type Box, STYLE } from './svg.ts'

const PICTURE = 'docs/images/architecture.svg'
const MARGIN = 24
const GAP = 28
const BEND_WIDTH = 12
const TIER_GAP = 56

/** What is wrong with the committed picture; '' when it is fresh. */
export function staleness(): string {
  return readFileSync(PICTURE, 'utf8') === drawing() ? '' : `${PICTURE} is stale; run npm run docs:architecture`
}

function drawing(): string {
  const all = packages()
  const { rows, paths } = layersOf(new Map(all.map((one) => [one.folder, importedBy(one, all)])))
  const cards = new Map(all.map((one) => [one.folder, cardOf(one)]))
  const { boxes, width, height } = arrange(rows, cards)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
    '<title>Packages of pb-oel, their folders, and which imports which</title>',
    STYLE,
    `<rect class="page" width="${width}" height="${height}" rx="12"/>`,
    ...paths.map((path) => arrowBetween('between', path, paths, boxes, 10)),
    ...[...cards].map(([folder, card]) => drawCard(card, (boxes.get(folder) as Box).x, (boxes.get(folder) as Box).y)),
    '</svg>\n',
  ].join('\n')
}

/** Tiers of packages below each other, each in the middle; where an arrow passes a tier it gets a narrow place. */
function arrange(
  rows: readonly (readonly string[])[],
  cards: ReadonlyMap<string, Card>,
): { boxes: Map<string, Box>; width: number; height: number } {
  const widthOf = (node: string) => cards.get(node)?.width ?? BEND_WIDTH
  const rowWidth = (row: readonly string[]) => row.reduce((sum, node) => sum + widthOf(node), GAP * (row.length - 1))
  const width = Math.max(...rows.map(rowWidth)) + 2 * MARGIN
  const boxes = new Map<string, Box>()
  let y = MARGIN
  for (const row of rows) {
    const heights = row.flatMap((node) => cards.get(node) ?? []).map(cardHeight)
    const tallest = Math.max(0, ...heights)
    let x = (width - rowWidth(row)) / 2
    for (const node of row) {
      const card = cards.get(node)
      boxes.set(node, { x, y, width: widthOf(node), height: card ? cardHeight(card) : tallest })
      x += widthOf(node) + GAP
    }
    y += tallest + TIER_GAP
  }
  return { boxes, width, height: y - TIER_GAP + MARGIN }
}

/** Folders of the packages that a package imports. */
function importedBy(one: Package, all: readonly Package[]): Set<string> {
  const targets = sourceFiles(sourceRoot(one.folder)).flatMap(importsOf)
  const owners = targets.map(({ target }) => packageOf(target, all)?.folder)
  return new Set(owners.filter((folder): folder is string => folder !== undefined && folder !== one.folder))
}

if (import.meta.main) writeFileSync(PICTURE, drawing())
