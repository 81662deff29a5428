import { describe, expect, it } from 'vitest'
import { type Draft, emptyChannel, idOf, lack, requestOf } from './draft.ts'

const draft: Draft = {
  ...{ title: ' Süd / Pump 3 ', id: '', method: 'pb-oel-plus', options: {}, perThousand: 50, learned: 0.9 },
  channels: [
    { name: ' depth ', unit: ' m ', min: '-5', max: '' },
    { ...emptyChannel('flow'), max: '0' },
    emptyChannel('open'),
  ],
  levels: [{ name: ' safe ' }, { name: 'unsafe' }],
}

describe('what the server is asked to create', () => {
  it('has names without blanks at their ends, also where units and limits name a channel', () => {
    expect(requestOf(draft)).toEqual({
      id: 'su-d-pump-3',
      title: 'Süd / Pump 3',
      channels: ['depth', 'flow', 'open'],
      levels: ['safe', 'unsafe'],
      method: 'pb-oel-plus',
      options: {},
      missing: 'hold',
      ask: { perThousand: 50 },
      units: { depth: 'm' },
      ranges: { depth: { min: -5, action: 'flag' }, flow: { max: 0, action: 'flag' } },
    })
  })

  it('asks about everything at a thousand of a thousand, and says no limits where there are none', () => {
    const { ask, units, ranges } = requestOf({ ...draft, perThousand: 1000, channels: [emptyChannel('a')] })
    expect([ask, units, ranges]).toEqual([undefined, undefined, undefined])
    expect(requestOf({ ...draft, perThousand: 999 }).ask).toEqual({ perThousand: 999 })
  })

  it('has a name that addresses take: as typed, or made of the title', () => {
    expect(idOf({ ...draft, id: ' north ' })).toBe('north')
    expect(idOf({ ...draft, title: `--${'x'.repeat(70)}` })).toBe('x'.repeat(64))
  })
})

it.each([
  [{}, undefined],
  [{ title: ' ' }, 'title'],
  [{ channels: [] }, 'channels'],
  [{ channels: [emptyChannel(' ')] }, 'channels'],
  [{ levels: [{ name: 'a' }] }, 'levels'],
  [{ levels: [{ name: 'a' }, { name: '' }] }, 'levels'],
  [{ levels: [{ name: 'a' }, { name: ' a' }] }, 'levels'],
])('of a draft with %j is missing: %s', (more, missing) => expect(lack({ ...draft, ...more }, null)).toBe(missing))
