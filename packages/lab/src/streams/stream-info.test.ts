import { describe, expect, it } from 'vitest'
import { testFolder } from '../testing/folder.ts'
import { openStream } from './open-stream.ts'
import { describeStream } from './stream-info.ts'

const folder = testFolder()
const info = (text: string) => describeStream(openStream(folder.write('t.csv', text), { missing: 'keep' }))

describe('describeStream', () => {
  it('counts rows, channels, levels and missing values', () => {
    const found = info('a,b,l\n1,5,x\n?,5,y\n3,,x\n4,5,x\n')
    expect(found).toMatchObject({ samples: 4, missing: 2, majority: 0.75 })
    expect(found.levels).toEqual([
      { name: 'x', count: 3 },
      { name: 'y', count: 1 },
    ])
    expect(found.channels[0]).toMatchObject({ name: 'a', min: 1, max: 4, missing: 1 })
    expect(found.channels[0].mean).toBeCloseTo(8 / 3, 12)
    // Of 1, 3 and 4: (25 + 1 + 16) / 9 over three.
    expect(found.channels[0].std).toBeCloseTo(Math.sqrt(14 / 9), 12)
    expect(found.constant).toEqual(['b'])
    expect(found.noChange).toBeCloseTo(1 / 3, 12)
    expect(found.warnings.join()).toContain('2 missing values')
  })

  it('finds channels that are equal in every sample, also with missing values, but not constants twice', () => {
    const found = info('a,b,c,d,e,l\n1,2,1,7,7,0\n2,2,2,7,7,1\n,3,,7,7,0\n')
    expect(found.duplicates).toEqual([['a', 'c']])
    expect(found.constant).toEqual(['d', 'e'])
  })

  it('says when labels persist, come in runs or alternate, and nothing when they do not', () => {
    const labels = (pattern: string) =>
      info(`a,l\n${[...pattern.repeat(60)].map((l, i) => `${i},${l}`).join('\n')}\n`).warnings.join()
    expect(labels('01')).toContain('labels alternate')
    expect(labels('000000000000000111111111111111')).toContain('labels persist')
    expect(labels('000111')).toContain('labels come in runs')
    expect(labels('0010111001')).toBe('')
    // One sample in 60 is no rare level, one in 120 is.
    expect(labels(`${'01'.repeat(29)}02`)).not.toContain('less than 1 %')
    expect(labels(`${'01'.repeat(59)}02`)).toContain('a level holds less than 1 %')
  })
})
