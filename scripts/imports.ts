// Who imports whom, read from the sources. The layer test and the picture of the architecture are both made from this.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** A package of the repository; `folder` is its path from the root. */
export interface Package {
  readonly name: string
  readonly folder: string
}

/** One import; `target` is the path of a file of the repository, or the specifier of a package as written. */
export interface Import {
  readonly file: string
  readonly target: string
}

/** Nodes with the nodes they import, and for each arrow one import that makes it. */
export type Graph = Map<string, Map<string, Import>>

/** Every package of the workspace, in the order of package.json. */
export function packages(): Package[] {
  const { workspaces } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { workspaces: string[] }
  return workspaces.map((folder) => {
    const { name } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as { name: string }
    return { name, folder }
  })
}

/** Where the sources of a package stand: in `src`, or in the package itself where it is never published. */
export function sourceRoot(folder: string): string {
  const sources = `${folder}/src`
  return existsSync(join(ROOT, sources)) ? sources : folder
}

/** Source files below a folder, without tests and what only tests use. */
export function sourceFiles(folder: string): string[] {
  return globSync(`${folder}/**/*.{ts,tsx,mts}`, { cwd: ROOT, exclude: ['**/node_modules/**', '**/dist/**'] })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.test\.tsx?$|\.d\.ts$|\/testing\//.test(file))
    .sort()
}

/** What a source file imports: statically, dynamically, for types only, or as the file of a worker. */
export function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const imported = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)
  const workers = [...text.matchAll(/new URL\('(\.{1,2}\/[^']+\.tsx?)', import\.meta\.url\)/g)].map(([, path]) => path)
  return [...new Set([...imported, ...workers])].map((specifier) => ({ file, target: resolve(file, specifier) }))
}

function resolve(file: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier
  const path = join(dirname(file), specifier)
  const candidates = [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`]
  return candidates.find((candidate) => existsSync(join(ROOT, candidate)) && /\.\w+$/.test(candidate)) ?? path
}

/** The package of the workspace that a target belongs to, by path or by name. */
export function packageOf(target: string, all: readonly Package[]): Package | undefined {
  return all.find(
    ({ name, folder }) => target === name || target.startsWith(`${name}/`) || target.startsWith(`${folder}/`),
  )
}

/**
 * The graph of what stands directly in `folder`: its subfolders and its files, with an arrow where anything in one
 * imports anything in the other.
 */
export function graphOf(folder: string): Graph {
  const graph: Graph = new Map()
  const place = (path: string) =>
    path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/')[0] : undefined
  for (const file of sourceFiles(folder)) {
    const from = place(file) as string
    const arrows = graph.get(from) ?? new Map<string, Import>()
    graph.set(from, arrows)
    for (const one of importsOf(file)) {
      const to = place(one.target)
      if (to !== undefined && to !== from && !arrows.has(to)) arrows.set(to, one)
    }
  }
  return graph
}

/**
 * For every arrow that lies on a cycle, the shortest cycle through it. Each cycle comes once, its smallest node first.
 */
export function cyclesOf(graph: Graph): string[][] {
  const found = new Map<string, string[]>()
  for (const [from, arrows] of graph)
    for (const to of arrows.keys()) {
      const back = shortestPath(graph, to, from)
      if (!back) continue
      const start = back.indexOf([...back].sort()[0])
      const cycle = [...back.slice(start), ...back.slice(0, start)]
      found.set(cycle.join(' '), cycle)
    }
  return [...found.values()]
}

function shortestPath(graph: Graph, from: string, to: string): string[] | undefined {
  const paths = [[from]]
  const seen = new Set([from])
  for (const path of paths) {
    const last = path[path.length - 1]
    if (last === to) return path
    for (const next of [...(graph.get(last)?.keys() ?? [])].sort()) {
      if (seen.has(next)) continue
      seen.add(next)
      paths.push([...path, next])
    }
  }
  return undefined
}

/** A folder and every folder below it that holds sources. */
export function foldersOf(folder: string): string[] {
  const folders = new Set<string>([folder])
  for (const file of sourceFiles(folder))
    for (let at = dirname(file); at.length > folder.length; at = dirname(at)) folders.add(at)
  return [...folders].sort()
}
