import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { replaySystem } from '../replay/replay.ts'
import { Service } from '../service/service.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { PLANT } from '../testing/local-server.ts'
import { hashOfState } from '../views/system.ts'
import { superfluousSnapshots } from './snapshot-thinning.ts'
import { SqliteLog } from './sqlite-log.ts'

const KEEP = 2_000
const EVERY = 100

describe('retention', () => {
  it('removes what is older also when much more is kept than eight snapshots reach, and the rest stays provable', async () => {
    const log = await SqliteLog.open(join(temporaryFolder(), 'kept.db'))
    const service = await Service.open(log, { snapshotEvery: EVERY })
    await service.create('plant', { ...PLANT, ask: { perThousand: 0.001 } }, 'test')
    const some = async (samples: number) => {
      for (let i = 0; i < samples; i += 50) {
        await Promise.all(Array.from({ length: 50 }, (_, j) => service.sample('plant', { values: [i, j] }, 'test')))
      }
    }
    const kept = async () => {
      const { first = 0, last = 0 } = (await log.extent('plant')) ?? {}
      return last - first + 1
    }
    await some(2_500)
    await service.compactAll(KEEP)
    expect(await kept()).toBeGreaterThanOrEqual(KEEP)
    expect(await kept()).toBeLessThan(KEEP * 1.25 + EVERY)
    expect((await replaySystem(log, 'plant')).difference).toBeUndefined()
    // Many snapshots later the state that the log begins with is still there.
    await some(600)
    const { difference, stateHash } = await replaySystem(log, 'plant')
    expect([difference, stateHash]).toEqual([undefined, await service.get('plant').read(hashOfState())])
    await service.compactAll(KEEP)
    expect(await kept()).toBeLessThan(KEEP * 1.25 + EVERY)
    await service.close()
  })
})

describe('snapshots', () => {
  it('are thinned out with their age: few stay, and one is near every age', () => {
    let kept: number[] = []
    for (let sequence = 20_000; sequence <= 100_000_000; sequence += 20_000) {
      const all = [...kept, sequence]
      const gone = new Set(superfluousSnapshots(all))
      kept = all.filter((place) => !gone.has(place))
    }
    expect(kept.length).toBeLessThan(150)
    expect(kept.slice(-8)).toEqual(Array.from({ length: 8 }, (_, i) => 100_000_000 - (7 - i) * 20_000))
    for (const age of [160_000, 1_000_000, 10_000_000, 50_000_000]) {
      const nearest = kept.findLast((place) => place <= 100_000_000 - age) as number
      expect(100_000_000 - nearest).toBeLessThan(age * 1.25 + 20_000)
    }
  })

  it('are dropped where two that are left are near enough for their age, and never among the latest eight', () => {
    const latest = (end: number) => Array.from({ length: 8 }, (_, i) => end - 7 + i)
    expect(superfluousSnapshots([])).toEqual([])
    expect(superfluousSnapshots([1, 2, 3, 1_000])).toEqual([])
    expect(superfluousSnapshots([1, 2, 3, 4, ...latest(999)])).toEqual([3, 2])
    // The distance left is 2: an eighth of 16, and more than an eighth of 15.
    expect(superfluousSnapshots([0, 1, 2, ...latest(18)])).toEqual([1])
    expect(superfluousSnapshots([0, 1, 2, ...latest(17)])).toEqual([])
    const apart = [1, 2, 3, 4, 5, 6].map((place) => 1_000 * place)
    expect(superfluousSnapshots([0, 10, 11, 12, ...apart])).toEqual([10])
  })
})
