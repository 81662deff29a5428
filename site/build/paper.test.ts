import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const DOCS = join(import.meta.dirname, '../../docs')
const page = readFileSync(join(DOCS, 'paper.md'), 'utf8')

/** Each link of the page with the quoted titles of tests that follow it, up to the next link. */
const links = [...page.matchAll(/\[[^\]]+\]\(([^)#]+)[^)]*\)([^[]*)/g)].map(([, file, after]) => ({
  file,
  titles: [...after.matchAll(/"([^"]+)"/g)].map(([, title]) => title.replaceAll('\n', ' ')),
}))

describe('docs/paper.md', () => {
  it('names only files that exist', () => {
    expect(links.filter(({ file }) => !existsSync(join(DOCS, file))).map(({ file }) => file)).toEqual([])
  })

  it('quotes only tests that exist, and quotes many', () => {
    const quoted = links.filter(({ file }) => file.endsWith('.test.ts'))
    expect(quoted.flatMap(({ titles }) => titles).length).toBeGreaterThan(20)
    const missing = quoted.flatMap(({ file, titles }) => {
      const source = readFileSync(join(DOCS, file), 'utf8')
      return titles.filter((title) => !source.includes(title)).map((title) => `${file}: ${title}`)
    })
    expect(missing).toEqual([])
  })

  it('names functions that are where it says', () => {
    const named = [...page.matchAll(/\]\(([^)]+\.ts)\), ((?:`\w+`(?:, | and )?)+)/g)].flatMap(([, file, names]) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name]) => ({ file, name })),
    )
    expect(named.length).toBeGreaterThan(10)
    const missing = named.filter(({ file, name }) => !readFileSync(join(DOCS, file), 'utf8').includes(`${name}(`))
    expect(missing).toEqual([])
  })

  it('has every equation, every figure, the theorem, the corollaries, the lemma and the algorithm', () => {
    const text = page.replaceAll('–', '-')
    const equations = [...text.matchAll(/eqs?\. (\d+)(?:(?:-| and )(\d+))?/g)].flatMap(([, from, to = from]) =>
      Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => Number(from) + i),
    )
    const missing = Array.from({ length: 41 }, (_, i) => i + 1).filter((number) => !equations.includes(number))
    expect(missing).toEqual([])
    const parts = [
      'Fig. 1',
      'Fig. 2',
      'Fig. 3',
      'Fig. 4',
      'Fig. 5',
      'Table I',
      'Theorem 1',
      'Corollary 1',
      'Corollary 2',
    ]
    for (const part of [...parts, 'Lemma 1', 'Algorithm 1']) expect(text).toContain(part)
  })
})
