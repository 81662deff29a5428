import { describe, expect, it } from 'vitest'
import { duplicatesIn } from '../scripts/duplicates.ts'
import { slipsIn } from '../scripts/english.ts'
import { cyclesOf, type Graph } from '../scripts/imports.ts'
import { isBend, layersOf } from '../scripts/layered-graph.ts'
import { outsidePathsIn } from '../scripts/outside.ts'
import { wrappedComments, wrappedProse } from '../scripts/wrap.ts'

/** The checks of `npm run check` that are our own: each finds what it is for and leaves the rest alone. */
describe('English', () => {
  it.each([
    'it can not learn',
    'kept for ever',
    'it takes 3 ms a sample',
    'it takes 3 µs a sample',
    '1,200 samples a second',
    'one file a version',
    '1 answers came late',
    'in the the log',
    'more then enough',
  ])('finds the slip in: %s', (text) => expect(slipsIn('docs/page.md', text)).toHaveLength(1))

  it.each([
    'you can not only read but write',
    'what a sample is',
    'the last samples a network is refitted on',
    'at most b·t + 1 questions',
    '11 answers, 1 answer, 2.1 records per sample',
    'K−1 levels',
    '1 ms',
  ])('leaves alone: %s', (text) => expect(slipsIn('docs/page.md', text)).toEqual([]))

  it('finds long lines of prose and comments, not of tables, fenced text and code', () => {
    const long = 'word '.repeat(30)
    expect(slipsIn('docs/page.md', long)).toEqual(['docs/page.md:1: 150 characters; at most 120'])
    expect(slipsIn('docs/page.md', `| ${long} |\n\`\`\`\n${long}\n\`\`\``)).toEqual([])
    expect(slipsIn('src/code.ts', `// ${long}`)).toHaveLength(1)
    expect(slipsIn('src/code.ts', `const x = '${long}'`)).toEqual([])
  })
})

describe('duplicates', () => {
  const lines = (...names: string[]) => names.map((name) => `  ${name}()`).join('\n')

  it('finds six lines in two files and says how far they go', () => {
    const one = `head()\n${lines('a', 'b', 'c', 'd', 'e', 'f', 'g')}\nx()`
    const two = `// comment\n\n${lines('a', 'b', 'c')}\n}\n${lines('d', 'e', 'f', 'g')}\ny()`
    expect(
      duplicatesIn([
        ['one.ts', one],
        ['two.ts', two],
      ]),
    ).toEqual(['one.ts:2 and two.ts:3 share 7 lines: a()'])
  })

  it('finds them within one file', () => {
    const run = lines('a', 'b', 'c', 'd', 'e', 'f')
    expect(duplicatesIn([['one.ts', `${run}\nmiddle()\n${run}`]])).toHaveLength(1)
  })

  it('leaves five lines, imports and comments alone', () => {
    const five = lines('a', 'b', 'c', 'd', 'e')
    const head =
      "import {\n  a,\n  b,\n  c,\n  d,\n  e,\n  f,\n} from './x.ts'\n/**\n * 1\n * 2\n * 3\n * 4\n * 5\n * 6\n */\n"
    expect(
      duplicatesIn([
        ['one.ts', `${head}${five}\nx()`],
        ['two.ts', `${head}${five}\ny()`],
      ]),
    ).toEqual([])
  })
})

describe('paths that lead outside', () => {
  it('finds climbing and absolute paths', () => {
    expect(outsidePathsIn('packages/lab/src/a.ts', "read('../../../../shared/x.csv')")).toHaveLength(1)
    expect(outsidePathsIn('packages/lab/src/a.ts', `read('${'/home'}/ann/x.csv')`)).toHaveLength(1)
  })

  it('leaves paths inside, routes and programs alone', () => {
    expect(outsidePathsIn('packages/lab/src/a.ts', "read('../../../docs/x.md')")).toEqual([])
    expect(outsidePathsIn('packages/web/src/a.ts', "fetch('/v1/home/x'); run('/usr/bin/chromium')")).toEqual([])
  })
})

describe('cycles', () => {
  const graph = (arrows: Record<string, string[]>): Graph =>
    new Map(
      Object.entries(arrows).map(([from, to]) => [from, new Map(to.map((one) => [one, { file: from, target: one }]))]),
    )

  it('finds each cycle once, the shortest through every arrow', () => {
    expect(cyclesOf(graph({ a: ['b'], b: ['c'], c: ['a', 'b'] }))).toEqual([
      ['a', 'b', 'c'],
      ['b', 'c'],
    ])
  })

  it('finds none where arrows go one way', () => {
    expect(cyclesOf(graph({ a: ['b', 'c'], b: ['c'], c: [] }))).toEqual([])
  })
})

describe('rows of the picture', () => {
  const graph = (arrows: Record<string, string[]>) =>
    new Map(Object.entries(arrows).map(([from, to]) => [from, new Set(to)]))

  it('what imports stands above what it imports, and implied arrows are left out', () => {
    const { rows, paths } = layersOf(graph({ cli: ['lab', 'core'], lab: ['core'], core: [] }))
    expect(rows).toEqual([['cli'], ['lab'], ['core']])
    expect(paths).toEqual([
      ['cli', 'lab'],
      ['lab', 'core'],
    ])
  })

  it('an arrow that passes a row bends there, and one that closes a cycle is left out', () => {
    const { rows, paths } = layersOf(graph({ a: ['b', 'd'], b: ['c'], c: ['e'], d: ['e'], e: ['a'], x: ['e', 'a'] }))
    expect(rows.map((row) => row.filter((node) => !isBend(node)).sort())).toEqual([
      ['x'],
      ['a'],
      ['b'],
      ['c', 'd'],
      ['e'],
    ])
    const long = paths.filter((path) => path.some(isBend))
    expect(long.map((path) => [path[0], path[path.length - 1], path.length])).toEqual([['a', 'd', 3]])
  })
})

describe('wrapping', () => {
  const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i}`).join(' ')

  it('wraps a long item of a list under its mark, and leaves tables, fenced text and short paragraphs', () => {
    const [first, second, third] = wrappedProse(`- ${words(25)}\n- short`).split('\n')
    expect(first.startsWith('- word0 ') && first.length <= 120 && second.startsWith('  word')).toBe(true)
    expect(third).toBe('- short')
    const kept = `| ${words(30)} |\n\n\`\`\`\n${words(30)}\n\`\`\`\n\ntwo short\nlines`
    expect(wrappedProse(kept)).toBe(kept)
  })

  it('never begins a line with what would be a list, and keeps code on one line', () => {
    const text = `${'x'.repeat(117)} a - b \`c ${'d'.repeat(20)} e\``
    expect(wrappedProse(text)).toBe(`${'x'.repeat(117)}\na - b \`c ${'d'.repeat(20)} e\``)
  })

  it('makes a block of a long comment and leaves examples alone', () => {
    const [open, first, second, close] = wrappedComments(`  /** ${words(25)} */`).split('\n')
    expect([open, close]).toEqual(['  /**', '   */'])
    expect(first.startsWith('   * word0') && second.startsWith('   * word')).toBe(true)
    const example = `/**\n * @example\n * ${words(25)}\n */`
    expect(wrappedComments(example)).toBe(example)
    expect(slipsIn('a.ts', example)).toEqual([])
  })
})
