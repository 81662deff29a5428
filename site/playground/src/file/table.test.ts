import { describe, expect, it } from 'vitest'
import { openTable, tableText } from './table.ts'

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

  it('says which columns there are, where one is missing', () => {
    expect(() => openTable('a,b\n1,2\n', { ...columns, level: 'c' })).toThrow('x.csv: no column c; there are a, b')
  })

  it('is written with the level last', () => {
    expect(tableText(text, columns)).toBe('flow,state\n1,ok\n,"bad, very"\n3,ok\n')
  })
})
