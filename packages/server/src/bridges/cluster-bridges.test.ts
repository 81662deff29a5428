import mqtt, { type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createToken } from '../auth/create-token.ts'
import type { ServeOptions } from '../serve.ts'
import { ChildServer } from '../testing/child-server.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { MOSQUITTO, Mosquitto } from '../testing/mosquitto.ts'
import { NATS_SERVER, NatsCluster } from '../testing/nats-cluster.ts'
import { until } from '../testing/until.ts'

const SYSTEMS = ['s0', 's1', 's2', 's3']
const TANK = { channels: ['pressure', 'temperature'], levels: ['safe', 'unsafe'], method: 'majority' }

describe.skipIf(!NATS_SERVER || !MOSQUITTO)('a bridge of a cluster (needs nats-server 2.11 and mosquitto)', () => {
  const folder = temporaryFolder()
  let nats: NatsCluster
  let broker: Mosquitto
  let plant: MqttClient
  let workers: ChildServer[]
  let options: ServeOptions
  let authorization: string

  beforeAll(async () => {
    nats = await NatsCluster.start(folder, 1)
    broker = await Mosquitto.start(folder)
    plant = await mqtt.connectAsync(broker.url)
    options = {
      port: 0,
      nats: { servers: nats.url, cluster: 'bridged', shards: 4, leaseSeconds: 2 },
      systems: SYSTEMS.map((id) => ({ ...TANK, id })),
      bridges: [
        {
          kind: 'mqtt',
          url: broker.url,
          rules: [{ topic: 'works/{system}/{sensor}', system: '{system}', values: { '{sensor}': '/v' }, time: '/t' }],
          join: { by: 'time', wait: 10_000 },
        },
      ],
    }
    // A cluster with tokens: workers take the samples of each other's bridges all the same.
    const token = await createToken(options.nats as never, { name: 'eva', roles: ['admin'], systems: ['*'] })
    authorization = `Bearer ${token}`
    workers = await Promise.all([1, 2].map(() => ChildServer.start(options)))
  })
  afterAll(async () => {
    await Promise.all((workers ?? []).filter(({ running }) => running).map((worker) => worker.kill()))
    await plant?.endAsync()
    await broker?.stop()
    await nats?.stop()
  })

  const get = (worker: ChildServer, path: string) => fetch(`${worker.url}${path}`, { headers: { authorization } })
  const kept = async (worker: ChildServer, system: string): Promise<number[]> => {
    const { samples = [] } = await (await get(worker, `/v1/systems/${system}/samples?limit=5000`)).json()
    return samples.map(({ values }: { values: number[] }) => values[0])
  }
  const owns = async (worker: ChildServer) =>
    worker.running &&
    (await (await get(worker, '/metrics')).text()).includes('pb_oel_bridge_connected{bridge="mqtt"} 1')
  const owners = async () =>
    (await Promise.all(workers.map(async (worker) => ((await owns(worker)) ? [worker] : [])))).flat()
  const send = async (from: number, to: number) => {
    for (let i = from; i < to; i++) {
      for (const system of SYSTEMS) {
        const t = 1_000 * (i + 1)
        await plant.publishAsync(`works/${system}/pressure`, JSON.stringify({ v: i, t }), { qos: 1 })
        await plant.publishAsync(`works/${system}/temperature`, JSON.stringify({ v: 20, t }), { qos: 1 })
      }
    }
  }
  const numbers = (to: number) => Array.from({ length: to }, (_, i) => i)

  it('has one owner, whose end another worker makes up for: nothing is lost, nothing doubled', async () => {
    const shared = async () =>
      Promise.all(workers.map(async (worker) => (await (await get(worker, '/v1/cluster')).json()).ready.length))
    await until(shared, (ready) => ready.every((number) => number === 2))
    const [owner, ...more] = await until(owners, (found) => found.length === 1)
    expect(more).toEqual([])
    const other = workers.find((worker) => worker !== owner) as ChildServer
    await send(0, 20)
    // Systems of both workers have samples, though one of them has the bridge.
    for (const system of SYSTEMS)
      await until(
        () => kept(other, system),
        (found) => found.length === 20,
      )
    await send(20, 30)
    await owner.kill()
    await send(30, 40)
    await until(owners, (found) => found.length === 1)
    expect(await owners()).toEqual([other])
    for (const system of SYSTEMS) {
      await until(
        () => kept(other, system),
        (found) => found.length >= 40,
      )
      expect([system, await kept(other, system)]).toEqual([system, numbers(40)])
    }
  })

  it('cannot be played by a client', async () => {
    const worker = workers.find(({ running }) => running) as ChildServer
    for (const hop of ['', 'x'.repeat(64)]) {
      const headers = { 'x-pb-oel-bridge': 'bridge:mqtt', 'x-pb-oel-hop': hop, 'content-type': 'application/json' }
      const answer = await fetch(`${worker.url}/v1/systems/s0/samples`, {
        method: 'POST',
        headers,
        body: '{"values":[1,2]}',
      })
      expect(answer.status).toBe(401)
    }
  })
})
