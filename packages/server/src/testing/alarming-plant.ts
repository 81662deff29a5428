import type { AlarmChange, SystemRequest } from '@pb-oel/protocol'
import { SimulatedClock } from '../clock/testing/simulated-clock.ts'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { Service } from '../service/service.ts'

/** A system on a simulated clock, trained to say what it was told most often: `unsafe` at first. */
export async function alarmingPlant(request: Partial<SystemRequest> = {}, log = new MemoryLog()) {
  const clock = new SimulatedClock(1_000_000_000)
  const service = await Service.open(log, { clock })
  const alarms: (AlarmChange & { time: number })[] = []
  service.subscribe((_, { time, events }) => {
    for (const { kind, body } of events) if (kind === 'alarm') alarms.push({ ...body, time })
  })
  const plant = { channels: ['a'], levels: ['safe', 'unsafe'], method: 'majority', stale: null, ...request }
  await service.create('plant', plant, 'test')
  const sample = () => service.sample('plant', { values: [1] }, 'test')
  const label = async (level: number) => {
    const { assessment } = await sample()
    await service.feedback('plant', { assessment, kind: 'label', level }, 'test')
  }
  for (let i = 0; i < 5; i++) await label(1)
  return { log, clock, service, alarms, sample, label, system: service.get('plant') }
}

/** A system with one alarm of its own, which every turn raises or clears. */
export async function turningPlant() {
  const { service, log, clock, system } = await alarmingPlant({
    ...{ alarm: { level: 1, raiseAfter: 1e9 }, alarms: { hot: { watch: 'range', channel: 'a', max: 5 } } },
  })
  let hot = false
  const turn = async () => {
    hot = !hot
    await service.sample('plant', { values: [hot ? 9 : 1] }, 'test')
  }
  /** Numbers of all changes of the alarm in the log. */
  const changes = async () => {
    const records = await log.read('plant', { kinds: ['alarm'], limit: 1e6 })
    return records.map(({ sequence }) => sequence)
  }
  return { service, log, clock, system, turn, changes }
}
