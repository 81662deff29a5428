import { describe, expect, it } from 'vitest'
import { guessColumns, previewColumns } from './columns.ts'
import { openTable, tableText } from './table.ts'

const names = (text: string) => previewColumns(text, 'x.csv').columns.map(({ name }) => name)

describe('a look at the columns', () => {
  it.each([
    ['a,b\n1,2\n3,4', ['a', 'b']],
    ['1,2\n3,4', ['channel 1', 'channel 2']],
    ['time,state\nmonday,ok\ntuesday,bad', ['time', 'state']],
    ['a,a,\n1,2,3', ['a', 'a (2)', 'channel 3']],
    ['1,ok\n2,bad', ['channel 1', 'channel 2']],
  ])('finds the names of %j', (text, expected) => {
    expect(names(text)).toEqual(expected)
  })

  const guess = (header: string, row: (t: number) => string) =>
    guessColumns(previewColumns([header, ...Array.from({ length: 40 }, (_, t) => row(t))].join('\n'), 'x.csv'))

  it('knows a level by its name, even where it has not changed yet', () => {
    expect(guess('flow,label,valve', (t) => `${t},0,${t % 2}`)).toEqual({ level: 'label', dropped: [] })
  })

  it('takes the last column for the level where it has few values, and leaves text out', () => {
    expect(guess('time,flow,mood', (t) => `t${t},${t},0`)).toEqual({ level: 'mood', dropped: ['time'] })
  })

  it('takes the last column that has few values otherwise', () => {
    const row = (t: number) => `t${t},${t % 2 ? 'bad' : 'ok'},${t * 1.5},${t * 2}`
    expect(guess('time,mood,flow,heat', row)).toEqual({ level: 'mood', dropped: ['time'] })
  })

  it('says what a file lacks', () => {
    expect(() => previewColumns('a,b\n', 'x.csv')).toThrow('x.csv: fewer than two rows')
    const columns = { name: 'x.csv', level: 'c', dropped: [], missing: 'last' } as const
    expect(() => openTable('a,b\n1,2\n', columns)).toThrow('x.csv: no column c; there are a, b')
  })
})

describe('a table', () => {
  const text = 'time,state,flow\nmonday,ok,1\ntuesday,"bad, very",\nwednesday,ok,3\n'
  const columns = { name: 'x.csv', level: 'state', dropped: ['time'], missing: 'last' } as const

  it('is a stream of what is kept', () => {
    const stream = openTable(text, columns)
    expect(stream.channels).toEqual(['flow'])
    expect(stream.levels).toEqual(['ok', 'bad, very'])
    expect(Array.from(stream, ({ x, level }) => [x[0], level])).toEqual([
      [1, 0],
      [1, 1],
      [3, 0],
    ])
  })

  it('is written with the level last', () => {
    expect(tableText(text, columns)).toBe('flow,state\n1,ok\n,"bad, very"\n3,ok\n')
  })
})
