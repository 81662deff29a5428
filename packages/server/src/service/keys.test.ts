import { describe, expect, it } from 'vitest'
import { clockOf } from '../clock/testing/clock-of.ts'
import { Conflict } from '../errors.ts'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { PLANT } from '../testing/local-server.ts'
import { Service } from './service.ts'

const COUNT = 10_500

describe('an idempotency key', () => {
  it('with other values is refused, and with the same values in another form is not', async () => {
    const service = await Service.open(new MemoryLog())
    await service.create('plant', { ...PLANT, missing: 'hold' }, 'test')
    const sample = (values: number[] | Record<string, number>, more = {}) =>
      service.sample('plant', { values, key: 'k', ...more }, 'test')
    await sample([1, 2])
    expect(await sample({ temperature: 2, pressure: 1 })).toMatchObject({ assessment: 0, repeated: true })
    await expect(sample([1, 3])).rejects.toThrow(Conflict)
    await expect(sample({ pressure: 1 })).rejects.toThrow('says something else, record 2')
    await expect(sample([1, 2], { at: 5 })).rejects.toThrow(Conflict)
    const held = (values: Record<string, number>) => service.sample('plant', { values, key: 'h' }, 'test')
    await held({ pressure: 4 })
    expect(await held({ pressure: 4 })).toMatchObject({ values: [4, 2], repeated: true })
    await expect(held({ pressure: 4, temperature: 2 })).rejects.toThrow(Conflict)
    const answer = (kind: 'confirm' | 'reject') => service.feedback('plant', { assessment: 0, kind, key: 'f' }, 'eva')
    await answer('confirm')
    expect(await answer('confirm')).toMatchObject({ repeated: true })
    await expect(answer('reject')).rejects.toThrow(Conflict)
  })

  it('is remembered for minutes, however many come, also after a start, and not forever', async () => {
    const log = new MemoryLog()
    let now = 1_000_000
    const service = await Service.open(log, { clock: clockOf(() => now) })
    await service.create('plant', PLANT, 'test')
    const sample = (to: Service, n: number) => to.sample('plant', { values: [n, 1], key: `k${n}` }, 'test')
    await Promise.all(Array.from({ length: COUNT }, (_, n) => sample(service, n)))
    expect((await sample(service, 0)).repeated).toBe(true)
    const again = await Service.open(log, { clock: clockOf(() => now) })
    expect((await sample(again, 0)).repeated).toBe(true)
    now += 10 * 60_000
    await sample(again, COUNT)
    expect((await sample(again, 0)).repeated).toBe(true)
    now += 1
    await sample(again, COUNT + 1)
    expect((await sample(again, 0)).repeated).toBeUndefined()
    // The latest ten thousand are known as long as nothing newer comes.
    expect((await sample(again, COUNT + 3 - 10_000)).repeated).toBe(true)
    expect((await sample(again, COUNT + 2 - 10_000)).repeated).toBeUndefined()
  })
})
