import { describe, expect, it } from 'vitest'
import { arrangeChannels } from './arrange-channels.ts'

const NAMES = ['cabin_pressure', 'depth', 'cabin_heat', 'thrust_2', 'thrust_10']
const SHOWN = [0, 1, 2, 3, 4]
const plain = { search: '', order: 'given', grouped: false, rank: [] } as const

describe('arranging channels', () => {
  it('finds every word, wherever it stands', () => {
    expect(arrangeChannels(NAMES, SHOWN, { ...plain, search: 'HEAT cab' })).toEqual([{ title: '', channels: [2] }])
    expect(arrangeChannels(NAMES, SHOWN, { ...plain, search: 'nothing' })).toEqual([])
    expect(arrangeChannels(NAMES, [1], { ...plain, search: 'cabin' })).toEqual([])
  })

  it('orders by what they contribute, those without a place last, or by name with numbers by size', () => {
    expect(arrangeChannels(NAMES, SHOWN, { ...plain, order: 'why', rank: [3, 1] })[0].channels).toEqual([3, 1, 0, 2, 4])
    expect(arrangeChannels(NAMES, SHOWN, { ...plain, order: 'name' })[0].channels).toEqual([2, 0, 1, 3, 4])
  })

  it('puts families together, and channels without one last', () => {
    expect(arrangeChannels(NAMES, SHOWN, { ...plain, grouped: true })).toEqual([
      { title: 'cabin', channels: [0, 2] },
      { title: 'thrust', channels: [3, 4] },
      { title: '', channels: [1] },
    ])
  })
})
