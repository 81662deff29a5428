import mqtt from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../testing/folder.ts'
import { localServer } from '../../testing/local-server.ts'
import { MOSQUITTO, Mosquitto } from '../../testing/mosquitto.ts'
import { until } from '../../testing/until.ts'
import { PYTHON, PythonPeer } from '../testing/python-peer.ts'

interface Kept {
  values: number[]
  at?: number
  degraded?: string[]
  by: string
}

const PUMP = { channels: ['pressure', 'speed', 'open'], levels: ['safe', 'unsafe'], method: 'majority' }
const needs = '(needs mosquitto and Python with the packages of the tests)'

describe.skipIf(!MOSQUITTO || !PYTHON)(`an edge node of pysparkplug ${needs}`, () => {
  const folder = temporaryFolder()
  let broker: Mosquitto
  let port: number
  let url: string
  let peer: PythonPeer
  const kept = async (system: string): Promise<Kept[]> =>
    (await (await fetch(`${url}/v1/systems/${system}/samples`)).json()).samples
  const samples = (system: string, number: number) =>
    until(
      () => kept(system),
      (found) => found.length >= number,
    )

  beforeAll(async () => {
    broker = await Mosquitto.start(folder)
    port = Number(new URL(broker.url).port)
    const server = await localServer({
      systems: [
        { ...PUMP, id: 'pump', missing: 'hold' },
        { ...PUMP, id: 'north', channels: ['Tank/Level', 'valve'], missing: 'hold' },
      ],
      bridges: [
        {
          kind: 'sparkplug',
          url: broker.url,
          host: 'assessor',
          rules: [
            {
              device: 'Works/Edge1',
              system: 'pump',
              metrics: { pressure: 'Pump/Pressure', speed: 'Pump/Speed', open: 'Open' },
            },
            { device: 'Works/Edge1/{device}', system: '{device}' },
          ],
        },
      ],
    })
    url = server.url
    peer = new PythonPeer('sparkplug_edge.py')
  })
  afterAll(async () => {
    await peer?.kill()
    await broker?.stop()
  })

  const metric = (name: string, type: string, value: unknown, at: number, alias?: number) => ({
    name,
    type,
    value,
    at,
    alias,
  })
  const births = [
    metric('Pump/Pressure', 'double', 1.5, 1_000, 7),
    metric('Pump/Speed', 'int8', -5, 1_000, 8),
    metric('Open', 'bool', true, 1_000, 9),
    metric('Serial', 'string', 'x', 1_000),
  ]

  it('is heard from its birth on, in every type of number, and its silence between changes is no loss', async () => {
    const device = [metric('Tank/Level', 'float', 0.25, 2_000), metric('valve', 'int64', -7, 2_000)]
    await peer.tell('connect', { group: 'Works', edge: 'Edge1', port, metrics: births, devices: { north: device } })
    await samples('pump', 1)
    await samples('north', 1)
    await peer.tell('update', { metrics: [metric('Pump/Speed', 'int8', 4, 3_000)] })
    await peer.tell('update_device', { device: 'north', metrics: [metric('valve', 'int64', 9, 4_000)] })
    expect(await samples('pump', 2)).toMatchObject([
      { values: [1.5, -5, 1], by: 'bridge:sparkplug' },
      { values: [1.5, 4, 1], at: 3_000 },
    ])
    const north = await samples('north', 2)
    expect(north).toMatchObject([{ values: [0.25, -7] }, { values: [0.25, 9], at: 4_000 }])
    expect(north.some(({ degraded }) => degraded)).toBe(false)
  })

  it('is told that the host is there', async () => {
    const listener = await mqtt.connectAsync(broker.url)
    const states: { online: boolean }[] = []
    listener.on('message', (_topic, payload) => states.push(JSON.parse(payload.toString())))
    await listener.subscribeAsync('spBv1.0/STATE/assessor')
    await until(
      () => states,
      (found) => found.length > 0,
    )
    expect(states).toMatchObject([{ online: true, timestamp: expect.any(Number) }])
    await listener.endAsync()
  })

  it('may use aliases, and say that a value is none', async () => {
    // Births and updates above had the numbers 0 to 3.
    await peer.tell('data', { seq: 4, metrics: [{ alias: 8, type: 'int8', value: -100, at: 5_000 }] })
    await peer.tell('data', { seq: 5, metrics: [{ alias: 7, type: 'double', value: null, at: 6_000 }] })
    expect((await samples('pump', 4)).slice(2)).toMatchObject([
      { values: [1.5, -100, 1], at: 5_000 },
      { values: [1.5, -100, 1], at: 6_000, degraded: ['pressure'] },
    ])
  })

  it('whose message is lost is asked to tell everything anew, and not believed before', async () => {
    const lost = await kept('pump')
    await peer.tell('data', { seq: 9, metrics: [{ alias: 7, type: 'double', value: 77, at: 7_000 }] })
    const asked = (found: Record<string, unknown>[]) => found.some(({ command }) => String(command).includes('Rebirth'))
    await until(() => peer.said, asked)
    await peer.tell('data', { seq: 10, metrics: [{ alias: 7, type: 'double', value: 78, at: 8_000 }] })
    await peer.tell('birth', { seq: 0 })
    const found = await samples('pump', lost.length + 1)
    expect(found.length).toBe(lost.length + 1)
    // Its birth says again what it said at first: the aliases were sent past the library.
    expect(found.at(-1)).toMatchObject({ values: [1.5, 4, 1] })
    expect(found.at(-1)?.degraded).toBeUndefined()
  })

  it('that dies takes its values with it', async () => {
    const before = await kept('north')
    await peer.tell('crash').catch(() => {})
    const other = new PythonPeer('sparkplug_edge.py')
    // A node of the same name without its valve: had the last value been kept, the sample would be complete.
    const device = [metric('Tank/Level', 'float', 0.5, 9_000)]
    await other.tell('connect', { group: 'Works', edge: 'Edge1', port, metrics: [], devices: { north: device } })
    const found = await samples('north', before.length + 1)
    expect(found.at(-1)).toMatchObject({ values: [0.5, 9], degraded: ['valve'] })
    await other.kill()
  })
})
