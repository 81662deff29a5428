import { expect, it } from 'vitest'
import { PLANT } from '../testing/local-server.ts'
import { SeatedFold } from './seated-fold.ts'

it('gives no record a time before that of the latest one, whatever time it is told', () => {
  const { id, ...given } = PLANT
  const seated = SeatedFold.create(id, given, 5_000)
  const sample = { kind: 'sample' as const, given: { values: [1, 2] }, by: 'sensor' }
  const write = (now: number) => seated.perform({ kind: 'write', input: sample, now })
  const written = (time: number) => ({ value: expect.objectContaining({ time }) })
  expect(write(4_000)).toEqual(written(5_000))
  expect(write(6_000)).toEqual(written(6_000))
  expect(seated.perform({ kind: 'snapshot', now: 5_999 })).toEqual(written(6_000))
  expect(write(6_001)).toEqual(written(6_001))
})
