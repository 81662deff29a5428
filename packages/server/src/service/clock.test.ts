import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { replaySystem } from '../replay/replay.ts'
import { alarmingPlant } from '../testing/alarming-plant.ts'
import { hashOfState, summary } from '../views/system.ts'
import { Service } from './service.ts'

const DAY = 86_400_000
const RULE = { alarm: { level: 1, raiseAfter: 3 } }

async function clockRecords({ log }: Awaited<ReturnType<typeof alarmingPlant>>) {
  const records = await log.read('plant', { kinds: ['clock'] })
  return records.map(({ time, body }) => ({ time, ...JSON.parse(body) }))
}

describe('a wall clock that jumps', () => {
  it('by a day and back, after one sample, leaves no alarm blind', async () => {
    const { clock, alarms, sample } = await alarmingPlant(RULE)
    clock.jump(DAY)
    await sample()
    clock.jump(-DAY)
    for (let second = 0; second < 4; second++) {
      await clock.advance(1_000)
      await sample()
    }
    expect(alarms.map(({ status }) => status)).toEqual(['active'])
  })

  it.each([DAY, -DAY])('by %d ms for good neither raises nor delays an alarm', async (by) => {
    const plant = await alarmingPlant(RULE)
    const { clock, sample, alarms } = plant
    await clock.advance(1_000)
    await plant.service.configure('plant', { alarm: { raiseAfter: 15 } }, 'test')
    await sample()
    clock.jump(by)
    for (let second = 1; second <= 14; second++) {
      await clock.advance(1_000)
      await sample()
    }
    expect(alarms).toEqual([])
    await clock.advance(1_100)
    expect(alarms.map(({ status }) => status)).toEqual(['active'])
    const records = await clockRecords(plant)
    expect(records.map(({ jump, followed }) => [jump, followed])).toEqual([
      [by, false],
      [by, true],
    ])
    expect((await replaySystem(plant.log, 'plant')).difference).toBeUndefined()
  })

  it('back lets the times of records go on at half the speed until it has caught up', async () => {
    const plant = await alarmingPlant(RULE)
    const { clock, sample, log } = plant
    clock.jump(-60_000)
    for (let second = 0; second < 200; second++) {
      await clock.advance(1_000)
      await sample()
    }
    const times = (await log.read('plant', { limit: 10_000 })).map(({ time }) => time)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    const paces = (await clockRecords(plant)).map(({ pace, ahead }) => [pace, Math.round(ahead / 1000)])
    expect(paces).toEqual([
      [1, 0],
      [2, 60],
      [1, 0],
    ])
    expect(times.at(-1)).toBe(clock.wall())
    expect((await replaySystem(log, 'plant')).difference).toBeUndefined()
  })

  it('changes no age: they count by the monotonic clock, also over a restart with a clock set back', async () => {
    const { clock, sample, system, log, service } = await alarmingPlant(RULE)
    await sample()
    clock.jump(DAY)
    await clock.advance(30_000)
    const age = async (of: typeof system) => (await of.read(summary(of.now))).lastSampleAge
    expect(await age(system)).toBeCloseTo(30, 1)
    await service.release('plant')
    clock.jump(-2 * DAY)
    const again = (await Service.open(log, { clock })).get('plant')
    await clock.advance(5_000)
    expect(await age(again)).toBeGreaterThanOrEqual(5)
    expect(await age(again)).toBeLessThan(60)
  })

  it('set back before a start does not keep a silent sensor from being noticed', async () => {
    const { clock, sample, log, service } = await alarmingPlant({ stale: { after: 7 } })
    await sample()
    await service.release('plant')
    clock.jump(-DAY)
    const again = await Service.open(log, { clock })
    const stale: string[] = []
    again.subscribe((_, { events }) => {
      for (const { kind, body } of events) if (kind === 'alarm' && body.about === 'stale') stale.push(body.status)
    })
    await clock.advance(6_900)
    expect(stale).toEqual([])
    await clock.advance(200)
    expect(stale).toEqual(['active'])
    expect((await replaySystem(log, 'plant')).difference).toBeUndefined()
  })

  it('is recorded of an archived system, too, whose durations go on when it is restored', async () => {
    const plant = await alarmingPlant(RULE)
    await plant.service.configure('plant', { archived: true }, 'test')
    plant.clock.jump(DAY)
    await plant.clock.advance(20_000)
    expect((await clockRecords(plant)).map(({ jump, followed }) => [jump, followed])).toEqual([
      [DAY, false],
      [DAY, true],
    ])
  })

  it('never makes the state differ from its replay, nor time fall, whatever happens when', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('pass' as const), by: fc.integer({ min: 0, max: 30_000 }) }),
      fc.record({ kind: fc.constant('jump' as const), by: fc.integer({ min: -100_000, max: 100_000 }) }),
      fc.record({ kind: fc.constant('sample' as const), by: fc.integer({ min: 0, max: 1 }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { clock, label, log, system } = await alarmingPlant({ ...RULE, stale: { after: 7 } })
        for (const { kind, by } of steps) {
          if (kind === 'pass') await clock.advance(by)
          else if (kind === 'jump') clock.jump(by)
          else await label(by)
        }
        const { difference, stateHash } = await replaySystem(log, 'plant')
        expect(difference).toBeUndefined()
        expect(await system.read(hashOfState())).toBe(stateHash)
        const times = (await log.read('plant', { limit: 10_000 })).map(({ time }) => time)
        expect(times).toEqual([...times].sort((a, b) => a - b))
      }),
      { numRuns: 60 },
    )
  })
})
