import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const sources = (pattern: string) =>
  globSync(pattern, { cwd: ROOT }).filter((file) => !/\.test\.ts$|\/testing\//.test(file))

/** What a source file imports: packages as they are, files as paths from the root. */
function imports(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  return [...text.matchAll(/(?:from|import)\s*\(?'([^']+)'/g)].map(([, target]) =>
    target.startsWith('.') ? relative(ROOT, join(ROOT, dirname(file), target)) : target,
  )
}

/** Pairs "file → import" for every import of `pattern` that `forbidden` matches. */
function violations(pattern: string, forbidden: (target: string) => boolean): string[] {
  const files = sources(pattern)
  expect(files.length).toBeGreaterThan(0)
  return files.flatMap((file) =>
    imports(file)
      .filter(forbidden)
      .map((target) => `${file} → ${target}`),
  )
}

describe('arrows between packages and folders go one way', () => {
  it('core imports nothing from outside itself', () => {
    expect(violations('packages/core/src/**/*.ts', (target) => !target.startsWith('packages/core/src/'))).toEqual([])
  })

  it('lab imports core and Node only', () => {
    expect(
      violations('packages/lab/src/**/*.ts', (target) =>
        /^pb-oel$|@pb-oel\/(?!core(\/|$))|packages\/(?!lab)/.test(target),
      ),
    ).toEqual([])
  })

  it('server imports neither lab nor web, and web neither of them', () => {
    const others = /^pb-oel$|@pb-oel\/(lab|web|server)|packages\/(lab|web|cli)/
    expect(violations('packages/server/src/**/*.ts', (target) => others.test(target))).toEqual([])
    const outside = /^pb-oel$|@pb-oel\/(lab|server)|packages\/(?!web)|^node:/
    expect(violations('packages/web/src/**/*.{ts,tsx}', (target) => outside.test(target))).toEqual([])
  })

  it('the fold of a system does no I/O: it imports core, its own folder, names of records and a hash', () => {
    const allowed = /^@pb-oel\/core$|^packages\/server\/src\/(fold\/|errors\.ts$|log\/record\.ts$)|^node:crypto$/
    expect(violations('packages/server/src/fold/**/*.ts', (target) => !allowed.test(target))).toEqual([])
  })

  it('rivals import nothing from pb-oel', () => {
    expect(violations('packages/core/src/rivals/**/*.ts', (target) => target.includes('/src/pb-oel/'))).toEqual([])
  })

  it.each([
    ['math', ['math']],
    ['state', ['state']],
    ['options', ['options']],
    ['drift', ['drift', 'math', 'options', 'state']],
    ['learners', ['learners', 'drift', 'math', 'options', 'state']],
    ['rvfl', ['rvfl', 'drift', 'learners', 'math', 'options', 'state']],
    ['metrics', ['metrics', 'math', 'state']],
    ['streams', ['streams', 'math', 'options', 'state']],
  ])('core/%s imports only from %s and the root of core', (folder, allowed) => {
    const permitted = new RegExp(`^packages/core/src/((${allowed.join('|')})/|[^/]+\\.ts$)`)
    expect(violations(`packages/core/src/${folder}/**/*.ts`, (target) => !permitted.test(target))).toEqual([])
  })

  it('core uses no clock, no Math.random and no function whose bits depend on the engine', () => {
    const forbidden =
      /Math\.(random|exp|expm1|log|log1p|log2|log10|pow|sin|cos|tan|tanh|sinh|cosh|atan2?|asin|acos|cbrt|hypot)\b|\bDate\b|performance\.now|\*\*(?! ?-?\d)/
    const found = sources('packages/core/src/**/*.ts').flatMap((file) => {
      const code = readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
      const match = code.match(forbidden)
      return match ? [`${file}: ${match[0]}`] : []
    })
    expect(found).toEqual([])
  })
})
