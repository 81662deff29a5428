import { describe, expect, it } from 'vitest'
import { staleFigures } from '../scripts/figures.ts'
import { unmarkedFigures } from '../scripts/unmarked-figures.ts'

const STORED = {
  command: 'npx pb-oel table dive',
  rows: [
    { method: 'pb-oel', rho: 0, mean: 0.97449 },
    { method: 'arf', rho: 0, mean: 0.6353 },
  ],
}
const read = () => JSON.stringify(STORED)
const passage = (text: string, view = '') =>
  `# Page\n\n<!-- figures: part.json${view} -->\n${text}\n<!-- /figures -->\n`
const TABLE = '| method | ρ = 0 |\n|---|---|\n| pb-oel | 0.974 / 0.957 |\n| arf | 0.635 / 0.599 |'

describe('figures of the docs', () => {
  it('prose: every number with two or more decimals is a stored one, rounded', () => {
    expect(staleFigures('a.md', passage('PB-OEL reaches 0.974, ARF 0.64; ρ = 0.5, version 24.1.12.'), read)).toEqual([])
    expect(staleFigures('a.md', passage('0.957 in the paper'), read)).toEqual([])
    expect(staleFigures('a.md', passage('x').replace('/figures', 'figures'), read)[0]).toContain(
      'of 1 passages of figures 0 end',
    )
    expect(staleFigures('a.md', passage('PB-OEL reaches 0.975.'), read)).toEqual(['a.md:4: 0.975 is not in part.json'])
  })

  it('times in µs are figures, too: in marked passages stored ones, elsewhere marked', () => {
    const bench = () => '{"median":37.186,"other":153.7}'
    expect(staleFigures('a.md', passage('37.2 µs, the twin 154 µs'), bench)).toEqual([])
    expect(staleFigures('a.md', passage('37.3 µs'), bench)).toEqual(['a.md:4: 37.3 is not in part.json'])
    expect(unmarkedFigures('a.md', '# A\n\ntakes 154 µs', [])).toEqual([
      'a.md:3: no mark names the stored result of 154, and no list the reason',
    ])
  })

  it('a mark names several files, and each line of a file of lines counts', () => {
    const files: Record<string, string> = { 'part.json': read(), 'runs.ndjson': '{"mean":0.125}\n{"mean":0.375}\n' }
    const both = passage('0.974, 0.125 and 0.375').replace('part.json', 'part.json,runs.ndjson')
    expect(staleFigures('a.md', both, (file) => files[file])).toEqual([])
    expect(staleFigures('a.md', both.replace('0.375', '0.376'), (file) => files[file])).toEqual([
      'a.md:4: 0.376 is not in part.json,runs.ndjson',
    ])
  })

  it('a view of lines gets them all, and keeps the indent of the page', () => {
    const line = (worst: number, off: number) =>
      ['pb-oel', 'pb-oel-plus'].map((method) => JSON.stringify({ method, worst, off: [off], on: [0.5, 1] })).join('\n')
    const lines = () => `${line(0.5, 0.25)}\n${line(0.95, 0.125)}\n`
    const table = (indent: string) =>
      [
        '| the third reviewer is right in | PB-OEL, off | on | PB-OEL+, off | on |',
        '|---|---|---|---|---|',
        '| 50 % | 0.250 | 0.750 | 0.250 | 0.750 |',
        '| 95 % | 0.125 | 0.750 | 0.125 | 0.750 |',
      ]
        .map((one) => indent + one)
        .join('\n')
    for (const indent of ['', '  ']) {
      const page = passage(table(indent), ' trust').replace('part.json', 'runs.ndjson')
      expect(staleFigures('a.md', page, lines)).toEqual([])
      expect(staleFigures('a.md', page.replace('0.125', '0.126'), lines)).toHaveLength(1)
    }
  })

  it('a view: the passage is the one made from the stored result', () => {
    expect(staleFigures('a.md', passage(TABLE, ' beside-paper'), read)).toEqual([])
    expect(staleFigures('a.md', passage(TABLE.replace('0.635', '0.636'), ' beside-paper'), read)).toHaveLength(1)
    const byShare =
      '| ρ | PB-OEL | ARF | paper: PB-OEL | paper: ARF |\n|---|---|---|---|---|\n| 0 | 0.974 | 0.635 | 0.957 | 0.599 |'
    expect(staleFigures('a.md', passage(byShare, ' by-share'), read)).toEqual([])
    expect(staleFigures('a.md', passage(byShare.replace('0.974', '0.975'), ' by-share'), read)).toHaveLength(1)
    expect(staleFigures('a.md', passage(TABLE, ' nonsense'), read)[0]).toContain('there is no view nonsense')
  })

  it('variants: a column for each stream; streams: a row for each; an empty passage ends before the next one', () => {
    const rows = [
      { stream: 'a', variant: 'x', 'ρ = 0': 0.5, 'ρ = 1': 0.75 },
      { stream: 'b', variant: 'x', 'ρ = 0': 0.25, 'ρ = 1': 12 },
    ]
    const stored = () => JSON.stringify({ command: '', rows })
    const wide = '|  | a | b |\n|---|---|---|\n| x | 0.500, 0.750 | 0.250, 12 |'
    expect(staleFigures('a.md', passage(wide, ' variants'), stored)).toEqual([])
    const long = '| stream | | ρ = 0 | ρ = 1 |\n|---|---|---|---|\n| a | x | 0.500 | 0.750 |\n| b | x | 0.250 | 12 |'
    expect(staleFigures('a.md', passage(long, ' streams'), stored)).toEqual([])
    const empty = passage('', ' streams').replace('\n\n<!-- /', '\n<!-- /')
    expect(staleFigures('a.md', `${empty}${passage(long, ' streams')}`, stored)).toEqual([
      'a.md: of 2 passages of figures 1 end',
    ])
  })

  it('without a mark: figures with two decimals are named, unless code, versions or the share of labels', () => {
    const text =
      '# Page\n\nIt reaches 0.97, ρ = 0.05, Node 24.21.0, Node 24.21, `0.123`.\n\n| a | 0.97 |\n\n```\n0.1234\n```\n'
    expect(unmarkedFigures('a.md', text, [])).toEqual([
      'a.md:3: no mark names the stored result of 0.97, and no list the reason',
      'a.md:5: no mark names the stored result of 0.97, and no list the reason',
    ])
  })

  it('the list: figures by name, by section or by page, and nothing that the page has not', () => {
    const text = '# Page\n0.111\n## One\n0.222\n### Part\n0.333\n## Two\n0.444\n'
    const unmarked = (entry: object) =>
      unmarkedFigures('a.md', text, [{ page: 'a.md', why: 'a setting', ...entry }]).map((line) =>
        line.replace('no mark names the stored result of', '').replace(', and no list the reason', ''),
      )
    expect(unmarked({})).toEqual([])
    expect(unmarked({ under: 'One' })).toEqual(['a.md:2:  0.111', 'a.md:8:  0.444'])
    expect(unmarked({ under: 'One', figures: ['0.333'] })).toHaveLength(3)
    expect(unmarked({ figures: ['0.111', '0.222', '0.333', '0.444', '0.555'] })).toEqual([
      'a.md: unmarked.json lists 0.555, which the page has not',
    ])
    expect(unmarked({ under: 'Three' }).at(-1)).toBe(
      'a.md: unmarked.json lists figures under "Three", which the page has not',
    )
  })
})
