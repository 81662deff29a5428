import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { blocksOf } from '../testing/run-page.ts'
import { commandPage } from './reference/command-help.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Every `pb-oel …` in code of the docs, with the page it stands on. */
function commands(): { page: string; words: string[] }[] {
  const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })]
  return pages.flatMap((page) => {
    const text = readFileSync(join(ROOT, page), 'utf8')
    const shell = blocksOf(page).filter(({ language }) => ['', 'sh', 'text'].includes(language))
    const blocks = shell.flatMap((block) => block.text.replaceAll(/\\\n\s*/g, '').split('\n'))
    const spans = [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`]+)`/g)].map(([, span]) => span)
    return [...blocks, ...spans].flatMap((line) => {
      const [, words] = /(?:^|[|$] ?)(?:npx )?pb-oel ([a-z].*)$/.exec(line.replaceAll('\n', ' ').trim()) ?? []
      return words
        ? [
            {
              page,
              words: words
                .split(/ {2,}|\|/)[0]
                .trim()
                .split(/\s+/),
            },
          ]
        : []
    })
  })
}

it('every command of the docs exists and knows its options', async () => {
  const [, ...sections] = (await commandPage(ROOT)).markdown.split(/^## pb-oel /m)
  const helps = new Map(sections.map((text) => [text.split('\n')[0], text]))
  const problems = commands().flatMap(({ page, words }) => {
    const [name] = words
    const known = helps.get(name)
    if (known === undefined) return [`${page}: pb-oel ${name}: no such command`]
    return words
      .filter((word) => word.startsWith('--'))
      .filter((word) => !known.includes(word.replace(/[=,.;)].*$/, '')))
      .map((word) => `${page}: pb-oel ${name} ${word}: no such option`)
  })
  expect(helps.size).toBeGreaterThan(20)
  expect(commands().length).toBeGreaterThan(50)
  expect(problems).toEqual([])
})

it('every name that a program of the docs imports is exported', async () => {
  const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })]
  const problems: string[] = []
  let imports = 0
  for (const page of pages) {
    const text = readFileSync(join(ROOT, page), 'utf8')
    for (const [, names, module] of text.matchAll(/^import \{([^}]+)\} from '(@pb-oel\/[^']+)'/gm)) {
      imports++
      const exported = Object.keys(await import(module))
      for (const name of names.split(',').flatMap((name) => name.trim().split(' as ')[0] || [])) {
        if (!name.startsWith('type ') && !exported.includes(name)) problems.push(`${page}: ${name} of ${module}`)
      }
    }
  }
  expect(imports).toBeGreaterThan(5)
  expect(problems).toEqual([])
})
