import { describe, expect, it } from 'vitest'
import { staleFigures } from '../scripts/figures.ts'

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
})
