import { expect, it } from 'vitest'
import { FinishedOffsets } from './finished-offsets.ts'

it('an offset is committed up to the first message that is not finished', () => {
  const offsets = new FinishedOffsets()
  expect(offsets.take()).toBeUndefined()
  // A partition may have gaps, where a transaction was ended.
  for (const offset of [5n, 6n, 9n]) offsets.begin(offset)
  expect(offsets.take()).toBe(5n)
  offsets.finish(6n)
  expect([offsets.take(), offsets.unfinished]).toEqual([undefined, 2])
  offsets.finish(5n)
  expect(offsets.take()).toBe(9n)
  offsets.finish(9n)
  expect([offsets.take(), offsets.take(), offsets.unfinished]).toEqual([10n, undefined, 0])
})
