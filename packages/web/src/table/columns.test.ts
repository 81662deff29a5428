import { describe, expect, it } from 'vitest'
import { guessColumns, previewColumns } from './columns.ts'

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
  })
})
