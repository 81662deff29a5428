import perf from 'node:perf_hooks'
import { describe, expect, it, vi } from 'vitest'
import { SimulatedClock } from '../clock/testing/simulated-clock.ts'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { Service } from '../service/service.ts'
import { PLANT } from '../testing/local-server.ts'
import { guarantee, summary } from '../views/system.ts'
import { Metrics } from './metrics.ts'

it('many servers in a process tell its figures, and watch it no more than once', async () => {
  const watch = vi.spyOn(perf, 'monitorEventLoopDelay')
  try {
    const texts = await Promise.all([new Metrics(), new Metrics(), new Metrics()].map((metrics) => metrics.text()))
    for (const text of texts) {
      expect(text).toMatch(/^process_resident_memory_bytes [1-9]/m)
      expect(text).toMatch(/^# TYPE pb_oel_http_request_duration_seconds histogram$/m)
    }
    expect(watch.mock.calls.length).toBeLessThan(2)
  } finally {
    watch.mockRestore()
  }
})

/** A service with two systems and one that cannot be rebuilt, and the figures of it as Prometheus reads them. */
async function watched() {
  const clock = new SimulatedClock(1_000_000_000)
  const log = new MemoryLog()
  await log.append('broken', 1, [{ time: 1, kind: 'created', body: '{' }])
  const service = Service.empty(log, { clock })
  await (await service.recover()).finished
  const metrics = new Metrics()
  metrics.watch(service)
  const rules = {
    alarm: { level: 1, clearBelow: 1 },
    stale: { after: 20 },
    alarms: { stale: { latch: true } },
    missing: 'hold' as const,
  }
  const [channels, levels] = [['a', 'b', 'c'], PLANT.levels]
  await service.create('plant', { channels, levels, method: 'majority', promises: { window: 8 }, ...rules }, 'test')
  const { id: _, ...learner } = PLANT
  await service.create('learner', learner, 'test')
  /** What is told, by name and labels. */
  const told = async (): Promise<Record<string, number>> => {
    const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith('pb_oel_'))
    return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]))
  }
  /** The figures of one system by what their names have after `pb_oel_`. */
  const of = async (system: string): Promise<Record<string, number>> => {
    const suffix = `{system="${system}"}`
    const own = Object.entries(await told()).filter(([name]) => name.endsWith(suffix))
    return Object.fromEntries(own.map(([name, value]) => [name.slice('pb_oel_'.length, -suffix.length), value]))
  }
  const label = async (system: string, values: number[] | Record<string, number>, level: number) => {
    const { assessment } = await service.sample(system, { values }, 'test')
    await service.feedback(system, { assessment, kind: 'label', level }, 'test')
  }
  return { clock, service, metrics, told, of, label }
}

describe('figures', () => {
  it('of a system are those of its state, each under its own name', async () => {
    const { clock, service, of, label } = await watched()
    await service.sample('plant', { values: [1, 2, 3] }, 'test')
    // The first is assessed as safe, those behind it as odd: 11 right, 3 misses and a false alarm.
    for (const level of [...Array(12).fill(1), 2, 2, 0]) await label('plant', { a: 1 }, level)
    await clock.advance(3_000)
    const plant = service.get('plant')
    const { confidence, safeSide } = await plant.read(summary(plant.now))
    const { promises } = await plant.read(guarantee())
    expect(promises?.windowAccuracy.certified).not.toBe(promises?.accuracy.certified)
    expect(await of('plant')).toEqual({
      ...{ system_ready: 1, trained: 1, level: 1, safe_side_level: safeSide, confidence_ratio: confidence },
      ...{ alarm_status: 3, accuracy_alarm_status: 0, stale_alarm_status: 0, stale: 0, last_sample_age_seconds: 3 },
      ...{ open_questions: 1, held_channels: 2, drifts: 0, accuracy_falls: 0 },
      ...{ accuracy_ratio: 11 / 15, estimated_accuracy_ratio: 11 / 15 },
      ...{ estimated_misses_ratio: 3 / 15, estimated_false_alarms_ratio: 1 / 15 },
      // What nobody has answered may be wrong.
      ...{ certified_accuracy_ratio: 11 / 16, certified_misses_ratio: 4 / 16 },
      certified_window_accuracy_ratio: promises?.windowAccuracy.certified,
      calibration_error_ratio: promises?.calibrationError,
    })
    for (let i = 0; i < 30; i++) await label('learner', [i, 1], i % 3)
    const { applies, value, regretWithConfidence } = await service.get('learner').read(guarantee())
    const { guarantee_accuracy_ratio: promised, regret_bound_ratio: regret } = await of('learner')
    expect([promised, regret]).toEqual([applies ? value : undefined, regretWithConfidence?.value])
    expect(regret).toBeDefined()
    expect(await of('broken')).toEqual({ system_ready: 0 })
  })

  it('tell the status of an alarm by numbers: 0 normal, 1 returned, 2 acknowledged, 3 active, 4 latched', async () => {
    const { clock, service, of, label } = await watched()
    const seen: unknown[] = []
    const look = async () => {
      const { stale, stale_alarm_status: status } = await of('plant')
      seen.push([stale, status])
    }
    const sample = () => label('plant', [1, 2, 3], 1)
    await sample()
    await look()
    await clock.advance(20_000)
    await look()
    await service.acknowledge('plant', 1, 'eva', 'stale')
    await look()
    await sample()
    await look()
    await service.alarmAction('plant', { about: 'stale', action: 'reset', by: 'eva' })
    await clock.advance(20_000)
    await sample()
    await look()
    expect(seen).toEqual([
      [0, 0],
      [1, 3],
      [1, 2],
      [0, 4],
      [0, 1],
    ])
  })

  it('of the whole server are in seconds, and count what they say', async () => {
    const { clock, metrics, told } = await watched()
    metrics.commit(0.02, 30)
    metrics.request('GET', '/v1/systems', 200, 0.25)
    metrics.trouble()
    metrics.mqtt('refused')
    metrics.bridge('hall', 'accepted', 3)
    metrics.bridgeWaiting('hall', 5)
    metrics.bridgeWaiting('hall', -2)
    metrics.bridgeConnected('hall', true)
    clock.jump(5_000)
    await clock.advance(1_000)
    const labels = 'method="GET",route="/v1/systems",status="200"'
    expect(await told()).toMatchObject({
      ...{ pb_oel_log_commit_duration_seconds_sum: 0.02, pb_oel_log_commit_records_sum: 30 },
      [`pb_oel_http_request_duration_seconds_sum{${labels}}`]: 0.25,
      ...{ pb_oel_troubles_total: 1, 'pb_oel_mqtt_messages_total{outcome="refused"}': 1 },
      'pb_oel_bridge_samples_total{bridge="hall",outcome="accepted"}': 3,
      ...{ 'pb_oel_bridge_waiting{bridge="hall"}': 3, 'pb_oel_bridge_connected{bridge="hall"}': 1 },
      ...{ pb_oel_clock_jumps_total: 1, pb_oel_clock_offset_seconds: 5 },
      'pb_oel_records_total{system="plant",kind="created"}': 1,
    })
    metrics.bridgeGone('hall')
    const left = Object.keys(await told()).filter((name) => /_(waiting|connected)\{bridge="hall"/.test(name))
    expect(left).toEqual([])
  })
})
