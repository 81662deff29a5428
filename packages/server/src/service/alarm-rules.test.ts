import type { AlarmSetting, ListedAlarm } from '@pb-oel/protocol'
import { describe, expect, it } from 'vitest'
import { replaySystem } from '../replay/replay.ts'
import { alarmingPlant } from '../testing/alarming-plant.ts'
import { detail, hashOfState } from '../views/system.ts'
import { Service } from './service.ts'

type Plant = Awaited<ReturnType<typeof alarmingPlant>>

/** A plant whose level alarm never comes by itself. */
const plantWith = (alarms: Record<string, AlarmSetting>, request = {}) =>
  alarmingPlant({ alarm: { level: 1, raiseAfter: 1e6 }, alarms, ...request })

/** The changes of the alarm of a rule: status and cause. */
const changes = ({ alarms }: Plant, name: string) =>
  alarms
    .filter(({ about = 'level' }) => about === name)
    .map(({ status, cause }) => (cause ? `${status}: ${cause}` : status))

async function listed({ system }: Plant, name: string): Promise<ListedAlarm> {
  const { alarms } = await system.read(detail(system.now))
  return alarms.find(({ about }) => about === name) as ListedAlarm
}

/** The log replays to the same state, and so does the state that a restart loads. */
async function replays(plant: Plant) {
  const { log, system, service } = plant
  const { difference, stateHash } = await replaySystem(log, 'plant')
  expect(difference).toBeUndefined()
  expect(await system.read(hashOfState())).toBe(stateHash)
  await service.release('plant')
  const again = await Service.open(log, { clock: plant.clock })
  const before = (await replaySystem(log, 'plant')).stateHash
  expect(await again.get('plant').read(hashOfState())).toBe(before)
}

const reading = (plant: Plant, value: number) =>
  plant.service.sample('plant', { values: { a: value } as never }, 'test')

describe('a rule of one’s own', () => {
  it('about a level raises beside the one that every system has, in its own numbers', async () => {
    const plant = await plantWith({ early: { watch: 'likely', level: 1, raiseAfter: 2, priority: 'low' } })
    await plant.sample()
    await plant.clock.advance(2_100)
    expect(changes(plant, 'early')).toEqual(['active'])
    expect(changes(plant, 'level')).toEqual([])
    expect(await listed(plant, 'early')).toMatchObject({
      number: 1,
      priority: 'low',
      rule: 'unsafe for 2 s',
      calls: true,
    })
    await replays(plant)
  })

  it('about the safe-side level follows it', async () => {
    const plant = await plantWith({ careful: { watch: 'safe-side', level: 1 } })
    await plant.sample()
    const { safeSide } = await plant.system.read(detail(plant.system.now))
    expect(safeSide).toBe(1)
    expect(changes(plant, 'careful')).toEqual(['active'])
    expect((await listed(plant, 'careful')).rule).toBe('safe-side level unsafe')
    await replays(plant)
  })

  it('about a channel raises outside its limits and clears inside the dead band', async () => {
    const units = { units: { a: 'bar' } }
    const plant = await plantWith({ pressure: { watch: 'range', channel: 'a', max: 10, deadband: 2 } }, units)
    for (const value of [9, 11, 9, 8]) await reading(plant, value)
    expect(changes(plant, 'pressure')).toEqual(['active', 'returned'])
    const [, back] = plant.alarms.filter(({ about }) => about === 'pressure')
    const records = await plant.log.read('plant', { kinds: ['sample'] })
    expect(back.time).toBe(records.at(-1)?.time)
    expect((await listed(plant, 'pressure')).rule).toBe('a above 10 bar')
    await replays(plant)
  })

  it('about a channel without limits raises while its value is implausible', async () => {
    const more = { ranges: { a: { max: 50, action: 'flag' as const } } }
    const plant = await plantWith({ sensor: { watch: 'range', channel: 'a' } }, more)
    for (const value of [60, 1, 70, 1]) await reading(plant, value)
    expect(changes(plant, 'sensor')).toEqual(['active', 'returned', 'active', 'returned'])
    await replays(plant)
  })

  it('about silence comes after its own seconds, beside the one that every system has', async () => {
    const plant = await plantWith(
      { dead: { watch: 'stale', after: 60, priority: 'critical' } },
      { stale: { after: 5 } },
    )
    await plant.clock.advance(6_000)
    expect([changes(plant, 'stale'), changes(plant, 'dead')]).toEqual([['active'], []])
    await plant.clock.advance(55_000)
    expect(changes(plant, 'dead')).toEqual(['active'])
    await plant.sample()
    expect(changes(plant, 'dead')).toEqual(['active', 'returned'])
    await replays(plant)
  })

  it('about drift raises when a detector signals a change, and ends when a person acknowledges', async () => {
    const plant = await alarmingPlant({
      ...{ method: 'rvfl-hddm-np', channels: ['a'], alarm: { level: 1, raiseAfter: 1e6 } },
      alarms: { drift: { watch: 'drift' } },
    })
    let drifts = 0
    for (let i = 0; i < 3_000 && drifts === 0; i++) {
      const { assessment } = await plant.service.sample('plant', { values: [i % 7] }, 'test')
      await plant.service.feedback('plant', { assessment, kind: 'label', level: i < 300 ? 0 : i % 2 }, 'test')
      drifts = (await plant.system.read(detail(plant.system.now))).counts.drifts
    }
    expect(drifts).toBeGreaterThan(0)
    expect(changes(plant, 'drift')).toEqual(['active'])
    await plant.service.acknowledge('plant', 1, 'eva', 'drift')
    expect(changes(plant, 'drift')).toEqual(['active', 'normal'])
    await replays(plant)
  })

  it('that is removed ends its alarm, and the log says why', async () => {
    const plant = await plantWith({ early: { watch: 'likely', level: 1 } })
    await plant.sample()
    await plant.service.configure('plant', { alarms: { early: null } }, 'test')
    expect(changes(plant, 'early')).toEqual(['active', 'normal: rule removed'])
    expect(await listed(plant, 'early')).toBeUndefined()
    await replays(plant)
  })

  it.each<[string, Record<string, AlarmSetting>]>([
    ['alarms.x.watch', { x: { priority: 'low' } }],
    ['alarms.x.level', { x: { watch: 'likely', level: 7 } }],
    ['alarms.x.channel', { x: { watch: 'range', channel: 'nothing' } }],
    ['alarms.x.max', { x: { watch: 'stale', after: 5, max: 3 } }],
    ['alarms.x.after', { x: { watch: 'stale' } }],
    ['alarms.level.raiseAfter', { level: { raiseAfter: 3 } }],
    ['alarms.level.suppressedBy', { level: { suppressedBy: ['nothing'] } }],
    ['suppressedBy', { level: { suppressedBy: ['stale'] }, stale: { suppressedBy: ['level'] } }],
    [
      'alarms.level.escalation[1].after',
      {
        level: {
          escalation: [
            { after: 9, tell: ['a'] },
            { after: 9, tell: ['b'] },
          ],
        },
      },
    ],
  ])('that makes no sense is refused by name: %s', async (name, alarms) => {
    const plant = await plantWith({})
    await expect(plant.service.configure('plant', { alarms }, 'test')).rejects.toThrow(name)
    expect((await plant.log.read('plant', { kinds: ['configuration'] })).length).toBe(0)
  })
})

describe('what people and time do with alarms', () => {
  const raised = async (setting: AlarmSetting = {}) => {
    const plant = await alarmingPlant({ alarm: { level: 1 }, alarms: { level: setting } })
    await plant.sample()
    expect(changes(plant, 'level')).toEqual(['active'])
    return plant
  }

  it('is recorded: a shelf that ends by time, on the monotonic clock', async () => {
    const plant = await raised()
    await plant.service.alarmAction('plant', { action: 'shelve', seconds: 30, by: 'eva', comment: 'known' })
    expect(await listed(plant, 'level')).toMatchObject({ calls: false, shelved: { by: 'eva' }, comment: 'known' })
    // The wall clock jumps by an hour; the shelf does not end earlier.
    plant.clock.jump(3_600_000)
    await plant.clock.advance(29_000)
    expect(changes(plant, 'level')).toEqual(['active', 'active: shelved'])
    await plant.clock.advance(2_000)
    expect(changes(plant, 'level').at(-1)).toBe('active: shelf ended')
    expect((await listed(plant, 'level')).calls).toBe(true)
    await replays(plant)
  })

  it('goes on over a restart: a shelf ends, and an escalation comes', async () => {
    const plant = await raised({ escalation: [{ after: 60, tell: ['shift lead'] }] })
    await plant.service.release('plant')
    await plant.clock.advance(61_000)
    const again = await Service.open(plant.log, { clock: plant.clock })
    await plant.clock.advance(1_000)
    const records = await plant.log.read('plant', { kinds: ['alarm'] })
    expect(JSON.parse(records.at(-1)?.body ?? '')).toMatchObject({ cause: 'escalated', step: 1, tell: ['shift lead'] })
    await again.release('plant')
    expect((await replaySystem(plant.log, 'plant')).difference).toBeUndefined()
  })

  it('an alarm that was acknowledged and lasts calls again', async () => {
    const plant = await raised({ realarmAfter: 20 })
    await plant.service.acknowledge('plant', 1, 'eva', undefined, 'looking')
    await plant.clock.advance(21_000)
    expect(changes(plant, 'level')).toEqual(['active', 'acknowledged', 'active: alarm again'])
    await replays(plant)
  })

  it('a latched alarm waits for a reset', async () => {
    const plant = await raised({ latch: true })
    for (let i = 0; i < 12; i++) await plant.label(0)
    await plant.sample()
    await plant.service.acknowledge('plant', 1, 'eva')
    await plant.service.alarmAction('plant', { action: 'reset', by: 'eva' })
    expect(changes(plant, 'level')).toEqual(['active', 'returned', 'latched', 'normal: reset'])
    await replays(plant)
  })

  it('stale data suppress the alarm about the level by design, and it comes back with the samples', async () => {
    const alarms = { level: { suppressedBy: ['stale'] } }
    const plant = await alarmingPlant({ alarm: { level: 1 }, stale: { after: 5 }, alarms })
    await plant.sample()
    await plant.clock.advance(6_000)
    expect(changes(plant, 'level')).toEqual(['active', 'active: suppressed'])
    expect(await listed(plant, 'level')).toMatchObject({ calls: false, suppressed: 'stale' })
    await plant.sample()
    expect(changes(plant, 'level').at(-1)).toBe('active: no longer suppressed')
    await replays(plant)
  })

  it('out of service calls nobody until it is put back; what is refused changes nothing', async () => {
    const plant = await raised()
    await plant.service.alarmAction('plant', { action: 'out-of-service', by: 'ada', comment: 'sensor is cleaned' })
    expect(await listed(plant, 'level')).toMatchObject({ outOfService: 'ada', calls: false })
    const before = await plant.system.read(hashOfState())
    await expect(plant.service.alarmAction('plant', { action: 'shelve', by: 'eva' })).rejects.toThrow('out of service')
    await expect(plant.service.alarmAction('plant', { about: 'none', action: 'shelve', by: 'e' })).rejects.toThrow(
      'there is no rule none; the rules of this system are level, stale, accuracy',
    )
    expect(await plant.system.read(hashOfState())).toBe(before)
    await plant.service.alarmAction('plant', { action: 'in-service', by: 'ada' })
    expect((await listed(plant, 'level')).calls).toBe(true)
    await replays(plant)
  })
})
