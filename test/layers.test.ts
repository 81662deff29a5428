import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  cyclesOf,
  foldersOf,
  graphOf,
  type Import,
  importsOf,
  packageOf,
  packages,
  sourceFiles,
  sourceRoot,
} from '../scripts/imports.ts'

const ROOT = join(import.meta.dirname, '..')

/** What each package may import: packages of this repository, and others where they are limited. */
const MAY_IMPORT: Record<string, { readonly own: readonly string[]; readonly others?: RegExp }> = {
  'packages/core': { own: [], others: /^$/ },
  'packages/protocol': { own: [], others: /^@sinclair\/typebox(\/|$)/ },
  'packages/lab': { own: ['packages/core'] },
  'packages/server': { own: ['packages/core', 'packages/protocol'] },
  'packages/web': { own: ['packages/lab', 'packages/protocol'] },
  'packages/cli': { own: ['packages/core', 'packages/lab', 'packages/protocol', 'packages/server', 'bench'] },
  bench: { own: ['packages/core', 'packages/lab', 'packages/protocol', 'packages/server'] },
  // Colours and type of the page are the site's too.
  site: { own: ['packages/core', 'packages/lab', 'packages/protocol', 'packages/web'] },
}

const all = packages()
const show = ({ file, target }: Import) => `${file} → ${target}`

/** Imports of a folder's sources that `forbidden` matches. */
function violations(folder: string, forbidden: (target: string) => boolean): string[] {
  const files = sourceFiles(folder)
  expect(files.length).toBeGreaterThan(0)
  return files
    .flatMap(importsOf)
    .filter(({ target }) => forbidden(target))
    .map(show)
}

describe('arrows between packages go one way', () => {
  it.each(all.map(({ folder }) => folder))('%s imports only what it may', (folder) => {
    const rule = MAY_IMPORT[folder]
    expect(rule, `MAY_IMPORT has no line for ${folder}`).toBeDefined()
    const forbidden = violations(folder, (target) => {
      const owner = packageOf(target, all)
      if (owner) return owner.folder !== folder && !rule.own.includes(owner.folder)
      return rule.others !== undefined && !rule.others.test(target)
    })
    expect(forbidden).toEqual([])
  })

  it('published code imports another package by its name, never by a path into its folder', () => {
    const published = all.filter(({ folder }) => sourceRoot(folder) !== folder)
    const byPath = published.flatMap(({ folder }) =>
      violations(`${folder}/src`, (target) => {
        const owner = packageOf(target, all)
        return owner !== undefined && owner.folder !== folder && target.startsWith(`${owner.folder}/`)
      }),
    )
    expect(byPath).toEqual([])
  })

  it('the page takes of the lab only what reads CSV files', () => {
    const other = (target: string) => /^@pb-oel\/lab(?!\/(csv|levels|time)$)/.test(target)
    expect(violations('packages/web/src', other)).toEqual([])
  })

  it('the page runs in browsers: it imports nothing of Node', () => {
    expect(violations('packages/web/src', (target) => target.startsWith('node:'))).toEqual([])
  })
})

describe('arrows between folders go one way', () => {
  it('no folder of a package imports in a circle', () => {
    const found: string[] = []
    const makers: string[] = []
    for (const folder of all.flatMap((one) => foldersOf(one.folder))) {
      const graph = graphOf(folder)
      const folders = cyclesOf(graph).filter((cycle) => cycle.some((node) => !node.includes('.')))
      for (const cycle of folders) {
        found.push(`${folder}: ${[...cycle, cycle[0]].join(' → ')}`)
        const arrows = cycle.map((node, i) => graph.get(node)?.get(cycle[(i + 1) % cycle.length]) as Import)
        makers.push(...arrows.map((one) => `  ${show(one)}`))
      }
    }
    expect(found.sort(), `imports that make the cycles:\n${makers.join('\n')}`).toEqual([])
  })

  it('the fold of a system does no I/O: it imports core, protocol, its own folder, errors and a hash', () => {
    const allowed = /^@pb-oel\/(core|protocol)(\/|$)|^packages\/server\/src\/(fold\/|errors\.ts$)|^node:crypto$/
    expect(violations('packages/server/src/fold', (target) => !allowed.test(target))).toEqual([])
  })

  it('rivals import nothing from pb-oel', () => {
    expect(violations('packages/core/src/rivals', (target) => /\/src\/pb-oel(-plus)?\//.test(target))).toEqual([])
  })

  it.each([
    ['math', ['math']],
    ['state', ['state']],
    ['options', ['options']],
    ['drift', ['drift', 'math', 'options', 'state']],
    ['learners', ['learners', 'drift', 'math', 'options', 'scaling', 'state']],
    ['rvfl', ['rvfl', 'drift', 'learners', 'math', 'options', 'scaling', 'state']],
    ['metrics', ['metrics', 'math', 'state']],
    ['streams', ['streams', 'math', 'options', 'state']],
  ])('core/%s imports only from %s and the root of core', (folder, allowed) => {
    const permitted = new RegExp(`^packages/core/src/((${allowed.join('|')})/|[^/]+\\.ts$)`)
    expect(violations(`packages/core/src/${folder}`, (target) => !permitted.test(target))).toEqual([])
  })
})

describe('core gives the same bits everywhere', () => {
  it('uses no clock, no Math.random and no function whose bits depend on the engine', () => {
    const forbidden =
      /Math\.(random|exp|expm1|log|log1p|log2|log10|pow|sin|cos|tan|tanh|sinh|cosh|atan2?|asin|acos|cbrt|hypot)\b|\bDate\b|performance\.now|\*\*(?! ?-?\d)/
    const found = sourceFiles('packages/core/src').flatMap((file) => {
      const code = readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
      const match = code.match(forbidden)
      return match ? [`${file}: ${match[0]}`] : []
    })
    expect(found).toEqual([])
  })
})
