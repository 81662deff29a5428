// A graph in rows, so that every arrow points down: what imports stands above what it imports.

/** Nodes with the nodes they point to. */
export type Arrows = ReadonlyMap<string, ReadonlySet<string>>

export interface Layers {
  /** Rows from top to bottom; within a row nodes stand near those they are tied to. */
  readonly rows: readonly (readonly string[])[]
  /** Arrows that no others imply, each as the nodes it goes through. */
  readonly paths: readonly (readonly string[])[]
}

/** Names of the bends that `layersOf` puts where an arrow passes a row: they stand in rows like nodes. */
export const isBend = (node: string): boolean => node.includes('↓')

/** Rows and arrows of a graph. An arrow that closes a cycle is left out; the layer test reports it. */
export function layersOf(graph: Arrows): Layers {
  const arrows = reduced(withoutCycles(graph))
  const heights = heightsOf([...graph.keys()], arrows)
  const top = Math.max(0, ...heights.values())
  const paths = arrows.map(([from, to]) => [from, ...bends(from, to, heights), to])
  for (const path of paths)
    for (const [i, node] of path.entries()) heights.set(node, (heights.get(path[0]) as number) - i)
  const rows = Array.from({ length: top + 1 }, (_, i) =>
    [...heights.keys()].filter((node) => heights.get(node) === top - i),
  )
  return { rows: untangled(rows, paths), paths }
}

const bends = (from: string, to: string, heights: ReadonlyMap<string, number>): string[] =>
  Array.from(
    { length: Math.max(0, (heights.get(from) as number) - (heights.get(to) as number) - 1) },
    (_, i) => `${from}↓${to}↓${i}`,
  )

function withoutCycles(graph: Arrows): Arrows {
  const forward = new Map([...graph].map(([node]) => [node, new Set<string>()]))
  const open = new Set<string>()
  const done = new Set<string>()
  const visit = (node: string): void => {
    open.add(node)
    for (const next of graph.get(node) ?? []) {
      if (open.has(next)) continue
      forward.get(node)?.add(next)
      if (!done.has(next)) visit(next)
    }
    open.delete(node)
    done.add(node)
  }
  for (const node of graph.keys()) if (!done.has(node)) visit(node)
  return forward
}

/** The arrows whose end cannot be reached by a longer way. */
function reduced(graph: Arrows): [string, string][] {
  const reaches = (from: string, to: string): boolean =>
    from === to || [...(graph.get(from) ?? [])].some((next) => reaches(next, to))
  return [...graph].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...targets].some((other) => other !== to && reaches(other, to)))
      .map((to): [string, string] => [from, to]),
  )
}

/** The row of each node, counted from below: above all it points to, and no farther below the others than needed. */
function heightsOf(nodes: readonly string[], arrows: readonly (readonly [string, string])[]): Map<string, number> {
  const heights = new Map<string, number>()
  const height = (node: string): number => {
    const known = heights.get(node)
    if (known !== undefined) return known
    const result = Math.max(-1, ...arrows.filter(([from]) => from === node).map(([, to]) => height(to))) + 1
    heights.set(node, result)
    return result
  }
  nodes.forEach(height)
  // Arrows get shorter where a node with more arrows in than out moves up to just below the lowest that points to it.
  for (const node of nodes.toSorted((a, b) => height(b) - height(a))) {
    const above = arrows.filter(([, to]) => to === node).map(([from]) => height(from))
    const below = arrows.filter(([from]) => from === node)
    if (above.length > below.length) heights.set(node, Math.min(...above) - 1)
  }
  return heights
}

/** Orders each row by the mean place of its neighbours, downwards and upwards in turn: fewer arrows cross. */
function untangled(rows: readonly (readonly string[])[], paths: Layers['paths']): string[][] {
  const neighbours = new Map<string, string[]>()
  const join = (a: string, b: string) => neighbours.set(a, [...(neighbours.get(a) ?? []), b])
  for (const path of paths)
    for (let i = 1; i < path.length; i++) {
      join(path[i - 1], path[i])
      join(path[i], path[i - 1])
    }
  const result = rows.map((row) => [...row])
  const place = new Map<string, number>()
  const put = (row: readonly string[]) => {
    for (const [i, node] of row.entries()) place.set(node, (i + 0.5) / row.length)
  }
  result.forEach(put)
  const mean = (node: string) => {
    const places = (neighbours.get(node) ?? []).map((one) => place.get(one) as number)
    return places.length === 0 ? (place.get(node) as number) : places.reduce((a, b) => a + b, 0) / places.length
  }
  for (let round = 0; round < 12; round++)
    for (const row of round % 2 === 0 ? result : result.toReversed()) {
      const wanted = new Map(row.map((node) => [node, mean(node)]))
      row.sort((a, b) => (wanted.get(a) as number) - (wanted.get(b) as number))
      put(row)
    }
  return result
}
