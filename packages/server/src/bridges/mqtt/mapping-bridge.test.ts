import { join } from 'node:path'
import type { BridgeRule } from '@pb-oel/protocol'
import mqtt, { type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChildServer } from '../../testing/child-server.ts'
import { temporaryFolder } from '../../testing/folder.ts'
import { localServer } from '../../testing/local-server.ts'
import { MOSQUITTO, Mosquitto } from '../../testing/mosquitto.ts'
import { until } from '../../testing/until.ts'

const WIDE = Array.from({ length: 40 }, (_, i) => `c${i}`)
const TANK = { channels: ['pressure', 'temperature'], levels: ['safe', 'unsafe'], method: 'majority' }

describe.skipIf(!MOSQUITTO)("the plant's own topics (needs mosquitto)", () => {
  const folder = temporaryFolder()
  let broker: Mosquitto
  let plant: MqttClient
  const publish = (topic: string, value: unknown, retain = false) =>
    plant.publishAsync(topic, typeof value === 'string' ? value : JSON.stringify(value), { qos: 1, retain })
  const keptOf = async (url: string, system: string) =>
    (await (await fetch(`${url}/v1/systems/${system}/samples?limit=5000`)).json()).samples
  const bridge = (rule: object): BridgeRule => ({ kind: 'mqtt', url: broker.url, ...rule }) as BridgeRule

  beforeAll(async () => {
    broker = await Mosquitto.start(folder)
    plant = await mqtt.connectAsync(broker.url)
  })
  afterAll(async () => {
    await plant.endAsync()
    await broker.stop()
  })

  it('are plain numbers, numbers within JSON, joined by arrival, time and tick', async () => {
    const { url } = await localServer({
      systems: [
        { ...TANK, id: 'a' },
        { ...TANK, id: 'b' },
        { ...TANK, id: 'c' },
        { ...TANK, id: 'wide', channels: WIDE },
      ],
      bridges: [
        bridge({
          name: 'plain',
          rules: [{ topic: 'works/{line}/{sensor}', system: '{line}', values: { '{sensor}': '' } }],
          join: { by: 'latest' },
        }),
        bridge({
          name: 'timed',
          rules: [
            { topic: 'sensors/+', system: '{/tank}', values: { pressure: '/p' }, time: '/when', timeUnit: 's' },
            { topic: 'thermo', system: 'b', values: { temperature: '/list/1' }, time: '/when', timeUnit: 's' },
            { topic: 'wide/{channel}', system: 'wide', values: { '{channel}': '/v' }, time: '/t' },
          ],
          join: { by: 'time', within: 100, wait: 60_000 },
        }),
        bridge({
          name: 'ticked',
          rules: [
            { topic: 'tick/p', system: 'c', values: { pressure: '/v' }, tick: '/n' },
            { topic: 'tick/t', system: 'c', values: { temperature: '/v' }, tick: '/n' },
          ],
          join: { by: 'tick', wait: 60_000 },
        }),
      ],
    })
    const kept = (system: string) => keptOf(url, system)
    const connected = async () =>
      (await (await fetch(`${url}/metrics`)).text()).match(/bridge_connected\{.*\} 1/g) ?? []
    await until(connected, (found) => found.length === 3)

    await publish('works/a/pressure', '1.5')
    await publish('works/a/temperature', ' 20 ')
    await publish('works/a/unknown', '3')
    await publish('works/a/pressure', 'true')
    expect(
      await until(
        () => kept('a'),
        (found) => found.length === 2,
      ),
    ).toMatchObject([{ values: [1.5, 20], by: 'bridge:plain' }, { values: [1, 20] }])

    // Half of a sample, then all of the next, then the other half: samples go in the order of their times.
    await publish('sensors/1', { tank: 'b', p: 1, when: 1_000.001 })
    await publish('sensors/1', { tank: 'b', p: 2, when: 1_001 })
    await publish('thermo', { list: [0, 21], when: 1_001.02 })
    await publish('thermo', { list: [0, 20], when: 999.98 })
    expect(
      await until(
        () => kept('b'),
        (found) => found.length === 2,
      ),
    ).toMatchObject([
      { values: [1, 20], at: 1_000_000 },
      { values: [2, 21], at: 1_001_000 },
    ])

    // More messages than a broker sends by default before one is acknowledged.
    for (const [i, channel] of WIDE.entries()) await publish(`wide/${channel}`, { v: i, t: '1970-01-01T00:00:05Z' })
    expect(
      await until(
        () => kept('wide'),
        (found) => found.length === 1,
      ),
    ).toMatchObject([{ values: WIDE.map((_, i) => i), at: 5_000 }])

    for (const n of [254, 255, 0]) {
      await publish('tick/t', { v: n + 0.5, n })
      await publish('tick/p', { v: n, n })
    }
    expect(
      await until(
        () => kept('c'),
        (found) => found.length === 3,
      ),
    ).toMatchObject([{ values: [254, 254.5] }, { values: [255, 255.5] }, { values: [0, 0.5] }])
  })

  it('take what is not there yet as missing after a while, and refuse what is no number without harm', async () => {
    const { url } = await localServer({
      systems: [{ ...TANK, id: 'held', missing: 'hold' }],
      bridges: [
        bridge({
          name: 'halves',
          rules: [{ topic: 'half/{sensor}', system: 'held', values: { '{sensor}': '/v' }, time: '/t' }],
          join: { by: 'time', wait: 200 },
        }),
      ],
    })
    const metrics = async () => (await fetch(`${url}/metrics`)).text()
    await until(metrics, (text) => text.includes('pb_oel_bridge_connected{bridge="halves"} 1'))
    await publish('half/pressure', { v: 1, t: 10_000 })
    await publish('half/temperature', { v: 2, t: 10_000 })
    const bad = [
      '',
      'x',
      '{',
      '[]',
      '{"v":"a","t":1}',
      '{"v":1}',
      '{"v":1e999,"t":1}',
      '{"v":1,"t":"2026-11-15T10:00:00"}',
    ]
    for (const text of [...bad, `{"v":${'['.repeat(20_000)}${']'.repeat(20_000)},"t":1}`])
      await publish('half/pressure', text)
    await until(
      () => keptOf(url, 'held'),
      (found) => found.length === 1,
    )
    await publish('half/pressure', { v: 3, t: 11_000 })
    expect(
      await until(
        () => keptOf(url, 'held'),
        (found) => found.length === 2,
      ),
    ).toMatchObject([
      { values: [1, 2], at: 10_000 },
      { values: [3, 2], at: 11_000, degraded: ['temperature'] },
    ])
    expect(await metrics()).toContain(
      `pb_oel_bridge_samples_total{bridge="halves",outcome="refused"} ${bad.length + 1}`,
    )
  })

  it('lose and double nothing when the server is killed and the broker restarts', async () => {
    const options = {
      store: join(folder, 'killed.db'),
      port: 0,
      systems: [{ ...TANK, id: 'k' }],
      bridges: [
        bridge({
          name: 'durable',
          rules: [{ topic: 'durable/{sensor}', system: 'k', values: { '{sensor}': '/v' }, time: '/t' }],
          join: { by: 'time', wait: 10_000 },
        }),
      ],
    }
    let server = await ChildServer.start(options)
    const ready = async () => (await (await fetch(`${server.url}/metrics`)).text()).includes('{bridge="durable"} 1')
    await until(ready, (found) => found)
    const N = 200
    const waiting = async (): Promise<number> => {
      const text = await (await fetch(`${server.url}/metrics`)).text()
      return Number(text.match(/bridge_waiting\{bridge="durable"\} (\d+)/)?.[1])
    }
    for (let i = 0; i < N; i++) {
      await publish('durable/pressure', { v: i, t: 1_000 * (i + 1) })
      // Half of a sample is with the server, the other half is still to come.
      if (i === 75) {
        await until(waiting, (number) => number === 1)
        await server.kill()
      }
      if (i === 100) server = await ChildServer.start(options)
      if (i === 150) {
        await broker.stop()
        await broker.start()
      }
      await publish('durable/temperature', { v: -i, t: 1_000 * (i + 1) })
    }
    const found = await until(
      () => keptOf(server.url, 'k'),
      (samples) => samples.length >= N,
    )
    expect(found.map(({ values }: { values: number[] }) => values)).toEqual(
      Array.from({ length: N }, (_, i) => [i, 0 - i]),
    )
    await server.stop()
  })
})
