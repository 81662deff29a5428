import { expect, it } from 'vitest'
import { configure } from '../fold/configure.ts'
import { SystemFold } from '../fold/system-fold.ts'
import { PLANT } from '../testing/local-server.ts'
import { KeyMemory } from './key-memory.ts'
import { SeatedFold } from './seated-fold.ts'

it('200,000 keys are known for ten minutes; then, or where there are more, the oldest go', () => {
  const memory = new KeyMemory([{ key: 'first', sequence: 1, time: 0 }])
  const add = (n: number, time: number) => memory.add({ key: `k${n}`, sequence: n, time })
  for (let n = 2; n <= 200_000; n++) add(n, 600_000)
  expect([memory.get('first'), memory.get('k2'), memory.get('k200000')]).toEqual([1, 2, 200_000])
  add(200_001, 600_000)
  expect([memory.get('first'), memory.get('k2')]).toEqual([undefined, 2])
  add(200_002, 1_200_000)
  expect([memory.get('k2'), memory.get('k3')]).toEqual([undefined, 3])
  add(200_003, 1_200_001)
  expect([memory.get('k3'), memory.get('k200001'), memory.get('k200002')]).toEqual([undefined, undefined, 200_002])
})

it('keys are known for as long where the wall clock jumps meanwhile', () => {
  const { id, ...given } = PLANT
  const [time, day] = [1_000_000, 86_400_000]
  const fold = new SystemFold(id, configure(id, given), 1, time)
  const seated = new SeatedFold(fold, { keys: [{ key: 'old', sequence: 7, time }] })
  const body = { jump: day, followed: true, until: time, pace: 1, ahead: 0 }
  seated.perform({ kind: 'write', input: { kind: 'clock', change: body }, now: time + day })
  const sample = (key: string, at: number) =>
    seated.perform({ kind: 'write', input: { kind: 'sample', given: { values: [1, 2], key }, by: 'x' }, now: at })
  expect(sample('new', time + day + 600_000)).toMatchObject({ value: { sequence: 3 } })
  expect(sample('old', time + day + 600_000)).toEqual({ value: { repeated: 7 } })
  expect(sample('newer', time + day + 600_001)).toMatchObject({ value: { sequence: 5 } })
  expect(sample('old', time + day + 600_001)).toMatchObject({ value: { sequence: 7 } })
})
