import { expect, it } from 'vitest'
import { readOptions } from '../options/option-table.ts'
import { PB_OEL_PLUS_OPTIONS, type PbOelPlusOptions } from './options.ts'
import { membersOf } from './pool.ts'

const poolOf = (options: Partial<PbOelPlusOptions>) =>
  membersOf(readOptions(PB_OEL_PLUS_OPTIONS, { channels: 4, levels: 3, ...options }))

it('is patient where answers can be wrong', () => {
  const patience = (options: Partial<PbOelPlusOptions>) => poolOf(options).flatMap((member) => member.patience ?? [])
  for (const edition of [1, 2] as const) {
    expect(patience({ edition })).toEqual([1, 2])
    for (const noise of [0.1, 'estimated'] as const) expect(patience({ edition, noise })).toEqual([1, 2, 4, 8])
  }
})

it('in edition 1 is persistence alone, and does not search', () => {
  expect(poolOf({ edition: 1 })).toEqual([1, 2].map((patience) => ({ kind: 'persistence', patience })))
})

it('has an expert for each kind of world; nearest neighbours remember less where there are many channels', () => {
  expect(poolOf({}).map(({ kind, search }) => [kind, search])).toEqual([
    ['persistence', true],
    ['persistence', true],
    ['forest', undefined],
    ['naive-bayes', undefined],
    ['nearest-neighbours', undefined],
  ])
  const remembered = [1, 12, 16, 24, 100].map((channels) => {
    const { window, rejections } = poolOf({ channels })[4]
    return [window, rejections]
  })
  expect(remembered).toEqual([
    [1000, 500],
    [1000, 500],
    [750, 375],
    [500, 250],
    [500, 250],
  ])
})
