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
})
