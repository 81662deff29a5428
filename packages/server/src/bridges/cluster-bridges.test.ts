import mqtt, { type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createToken } from '../auth/create-token.ts'
import { shardOf } from '../log/nats/names.ts'
import type { ServeOptions } from '../start/serve-options.ts'
import { ChildServer } from '../testing/child-server.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { MOSQUITTO, Mosquitto } from '../testing/mosquitto.ts'
import { NATS_SERVER, NatsCluster } from '../testing/nats-cluster.ts'
import { until } from '../testing/until.ts'

const SYSTEMS = ['s0', 's1', 's2', 's3']
/** Systems that are sent to on our own topics. */
const OWN = ['o0', 'o1', 'o2', 'o3']
/** A name whose bridge has the same owner as our own topics. */
const NAME = ['b0', 'b1', 'b2', 'b3', 'b4', 'b5', 'b6', 'b7'].find(
  (name) => shardOf(`bridge ${name}`, 4) === shardOf('mqtt', 4),
) as string
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
      systems: [...SYSTEMS, ...OWN].map((id) => ({ ...TANK, id, alarm: { level: 1, clearBelow: 1 } })),
      mqtt: { url: broker.url },
      bridges: [
        {
          name: NAME,
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
    (await (await get(worker, '/metrics')).text()).includes(`pb_oel_bridge_connected{bridge="${NAME}"} 1`)
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
  const own = async (kind: string, from: number, to: number, entry: (i: number) => object) => {
    for (let i = from; i < to; i++)
      for (const system of OWN)
        await plant.publishAsync(`pb-oel/${system}/${kind}`, JSON.stringify(entry(i)), { qos: 1 })
  }
  const numbers = (to: number) => Array.from({ length: to }, (_, i) => i)

  it('has one owner, as our own topics do, whose end another worker makes up for: nothing is lost or doubled', async () => {
    const assessed = new Map<string, Set<number>>()
    const alarms = new Set<string>()
    plant.on('message', (topic, payload) => {
      const { key, assessment, status } = JSON.parse(payload.toString())
      if (topic.endsWith('/alarm')) alarms.add(`${topic} ${status}`)
      else assessed.set(`${topic} ${key}`, (assessed.get(`${topic} ${key}`) ?? new Set()).add(assessment))
    })
    await plant.subscribeAsync(['pb-oel/+/assessment', 'pb-oel/+/alarm'], { qos: 1 })
    const sample = (i: number) => ({ id: i, values: [i, 20] })
    const shared = async () =>
      Promise.all(workers.map(async (worker) => (await (await get(worker, '/v1/cluster')).json()).ready.length))
    await until(shared, (ready) => ready.every((number) => number === 2))
    const [owner, ...more] = await until(owners, (found) => found.length === 1)
    expect(more).toEqual([])
    const other = workers.find((worker) => worker !== owner) as ChildServer
    await send(0, 20)
    await own('sample', 0, 20, sample)
    // Systems of both workers have samples, though one of them has the bridge.
    for (const system of SYSTEMS)
      await until(
        () => kept(other, system),
        (found) => found.length === 20,
      )
    for (const system of OWN)
      await until(
        () => kept(other, system),
        (found) => found.length === 20,
      )
    await own('feedback', 0, 10, (i) => ({ id: `f${i}`, assessment: i, kind: 'label', level: 1, by: 'eva' }))
    await send(20, 30)
    await own('sample', 20, 30, sample)
    await owner.kill()
    await own('sample', 30, 40, sample)
    await send(30, 40)
    await until(owners, (found) => found.length === 1)
    expect(await owners()).toEqual([other])
    for (const system of [...SYSTEMS, ...OWN]) {
      await until(
        () => kept(other, system),
        (found) => found.length >= 40,
      )
      expect([system, await kept(other, system)]).toEqual([system, numbers(40)])
    }
    // Every sample was answered, at least once and always alike; alarms came from both workers.
    await until(
      async () => [assessed.size, alarms.size],
      ([answered, raised]) => answered >= 40 * OWN.length && raised >= OWN.length,
    )
    expect([...assessed.values()].filter((numbers) => numbers.size !== 1)).toEqual([])
    const { feedback } = await (await get(other, '/v1/systems/o0/log?kinds=feedback&limit=100')).json().then(byKind)
    expect(feedback).toEqual(Array.from({ length: 10 }, () => 'eva'))
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

/** Who wrote the records of each kind. */
function byKind({ records }: { records: { kind: string; body: { by: string } }[] }): Record<string, string[]> {
  const authors: Record<string, string[]> = {}
  for (const { kind, body } of records) authors[kind] = [...(authors[kind] ?? []), body.by]
  return authors
}
