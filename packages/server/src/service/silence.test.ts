import { describe, expect, it } from 'vitest'
import { replaySystem } from '../replay/replay.ts'
import { alarmingPlant } from '../testing/alarming-plant.ts'
import { detail, hashOfState, summary } from '../views/system.ts'
import { Service } from './service.ts'

type Plant = Awaited<ReturnType<typeof alarmingPlant>>

/** Samples at a steady rate. */
async function stream({ clock, sample }: Plant, count: number, milliseconds: number) {
  for (let i = 0; i < count; i++) {
    await sample()
    await clock.advance(milliseconds)
  }
}

const statuses = ({ alarms }: Plant, about?: 'stale') =>
  alarms.filter((alarm) => alarm.about === about).map(({ status }) => status)

async function replays({ log, system }: Plant) {
  const { difference, stateHash } = await replaySystem(log, 'plant')
  expect(difference).toBeUndefined()
  expect(await system.read(hashOfState())).toBe(stateHash)
}

describe('silence', () => {
  it('raises an alarm whose level was unsafe before the sensor died, when its time has come', async () => {
    const plant = await alarmingPlant({ alarm: { level: 1, raiseAfter: 3 } })
    await plant.sample()
    await plant.clock.advance(2_900)
    expect(statuses(plant)).toEqual([])
    await plant.clock.advance(200)
    expect(statuses(plant)).toEqual(['active'])
    const [tick] = await plant.log.read('plant', { kinds: ['tick'] })
    expect(JSON.parse(tick.body).due).toEqual(['level'])
    await replays(plant)
  })

  it('does not clear an alarm: only samples can', async () => {
    const plant = await alarmingPlant({ alarm: { level: 1, raiseAfter: 0, clearAfter: 2 } })
    for (let i = 0; i < 12; i++) await plant.label(0)
    expect(statuses(plant)).toEqual(['active'])
    await plant.clock.advance(60_000)
    expect(statuses(plant)).toEqual(['active'])
    await plant.sample()
    expect(statuses(plant)).toEqual(['active', 'returned'])
    await replays(plant)
  })

  it('is stale data after three intervals of the stream as it came at first, and ends with the next sample', async () => {
    const plant = await alarmingPlant({ stale: {}, alarm: { level: 1, raiseAfter: 1e6 } })
    await stream(plant, 5, 4_000)
    const look = () => plant.system.read(summary(plant.system.now))
    expect((await look()).staleAfter).toBeNull()
    await stream(plant, 7, 4_000)
    expect((await look()).staleAfter).toBe(12)
    await plant.clock.advance(7_900)
    expect((await look()).stale).toBe(false)
    expect(statuses(plant, 'stale')).toEqual([])
    await plant.clock.advance(200)
    expect(statuses(plant, 'stale')).toEqual(['active'])
    expect(await look()).toMatchObject({ stale: true, staleAlarm: { status: 'active', number: 1, staleAfter: 12 } })
    await plant.service.acknowledge('plant', 1, 'eva', 'stale')
    await plant.sample()
    expect(statuses(plant, 'stale')).toEqual(['active', 'acknowledged', 'normal'])
    expect((await look()).stale).toBe(false)
    await replays(plant)
  })

  it('counts a burst as one arrival, so that samples in batches are not stale between two', async () => {
    const plant = await alarmingPlant({ stale: {} })
    for (let batch = 0; batch < 14; batch++) {
      for (let i = 0; i < 20; i++) await plant.sample()
      await plant.clock.advance(60_000)
    }
    expect(statuses(plant, 'stale')).toEqual([])
    await plant.clock.advance(130_000)
    expect(statuses(plant, 'stale')).toEqual(['active'])
  })

  it.each([
    [{ after: 30 }, 30],
    [{ rate: 0.1 }, 30],
    [{ rate: 20 }, 5],
  ])('with the rule %j is stale data after %d s, from the first sample on', async (stale, seconds) => {
    const plant = await alarmingPlant({ stale })
    await plant.clock.advance(seconds * 1000 - 100)
    expect(statuses(plant, 'stale')).toEqual([])
    await plant.clock.advance(200)
    expect(statuses(plant, 'stale')).toEqual(['active'])
  })

  it('is watched unless a rule of null says otherwise, also one that comes later', async () => {
    const plant = await alarmingPlant({ stale: { after: 5 } })
    await plant.clock.advance(6_000)
    await plant.service.configure('plant', { stale: null }, 'test')
    await plant.sample()
    await plant.clock.advance(60_000)
    expect(statuses(plant, 'stale')).toEqual(['active', 'returned'])
    const { configuration } = await plant.system.read(detail(plant.system.now))
    expect(configuration.stale).toBeUndefined()
    await replays(plant)
  })

  it('goes on over a restart, with time for the sensor to come back', async () => {
    const plant = await alarmingPlant({ stale: { after: 20 } })
    await plant.service.release('plant')
    await plant.clock.advance(60_000)
    expect(statuses(plant, 'stale')).toEqual([])
    const again = await Service.open(plant.log, { clock: plant.clock })
    const look = () => again.get('plant').read(summary(again.get('plant').now))
    expect(await look()).toMatchObject({ stale: true, lastSampleAge: 60 })
    await plant.clock.advance(19_000)
    expect((await look()).staleAlarm?.status).toBe('normal')
    await plant.clock.advance(2_000)
    expect((await look()).staleAlarm?.status).toBe('active')
    expect((await replaySystem(plant.log, 'plant')).difference).toBeUndefined()
  })

  it('of one system leaves the log of the others alone', async () => {
    const plant = await alarmingPlant({ stale: { after: 5 } })
    await plant.service.create('other', { channels: ['b'], levels: ['safe', 'unsafe'], stale: { after: 5 } }, 'test')
    await plant.clock.advance(60_000)
    expect((await plant.log.read('other')).map(({ kind }) => kind)).toEqual(['created'])
  })
})
