import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BridgeRule } from '@pb-oel/protocol'
import { Admin, Producer, stringSerializers } from '@platformatic/kafka'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChildServer } from '../../packages/server/src/testing/child-server.ts'
import { until } from '../../packages/server/src/testing/until.ts'
import { CAN_RUN_KAFKA, KafkaBroker } from '../testing/kafka-broker.ts'

const TANK = { channels: ['pressure', 'temperature'], levels: ['safe', 'unsafe'], method: 'majority' }
/** So many messages of each kind. */
const N = 300

describe.skipIf(!CAN_RUN_KAFKA)('a broker of Apache Kafka (needs Java and Maven)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pb-oel-kafka-'))
  let broker: KafkaBroker
  let producer: Producer<string, string, string, string>
  let server: ChildServer | undefined

  beforeAll(async () => {
    broker = await KafkaBroker.start(join(folder, 'broker'))
    const client = { clientId: 'test', bootstrapBrokers: [broker.address], retries: 50, retryDelay: 200 }
    const admin = new Admin(client)
    await admin.createTopics({ topics: ['whole'], partitions: 2, replicas: 1 })
    await admin.createTopics({ topics: ['halves'], partitions: 1, replicas: 1 })
    await admin.close()
    producer = new Producer({ ...client, serializers: stringSerializers })
  })
  afterAll(async () => {
    await producer?.close()
    await server?.kill()
    await broker?.kill()
    rmSync(folder, { recursive: true, force: true })
  })

  const start = async () => {
    const bridge = (more: object): BridgeRule => ({ kind: 'kafka', brokers: [broker.address], ...more }) as BridgeRule
    server = await ChildServer.start({
      store: join(folder, 'kafka.db'),
      port: 0,
      systems: [
        { ...TANK, id: 'a' },
        { ...TANK, id: 'b' },
        { ...TANK, id: 'c' },
      ],
      bridges: [
        bridge({
          name: 'whole',
          rules: [{ topic: 'whole', system: '{key}', values: { pressure: '/p', temperature: '/t' } }],
        }),
        bridge({
          name: 'halves',
          rules: [{ topic: 'halves', system: 'c', values: { '{/what}': '/value' }, tick: '/tick' }],
          join: { by: 'tick', wait: 60_000 },
        }),
      ],
    })
    return server
  }
  const kept = async (system: string): Promise<number[][]> => {
    const { samples } = await (await fetch(`${server?.url}/v1/systems/${system}/samples?limit=5000`)).json()
    return samples.map(({ values }: { values: number[] }) => values)
  }
  const send = async (from: number, to: number) => {
    for (let i = from; i < to; i++) {
      const value = JSON.stringify({ p: i, t: 20 })
      // Counters begin anew.
      const half = (what: string) => JSON.stringify({ what, value: i, tick: i % 10 })
      await producer.send({
        messages: [
          ...['a', 'b'].map((key) => ({ topic: 'whole', key, value })),
          ...['temperature', 'pressure'].map((what) => ({ topic: 'halves', key: 'x', value: half(what) })),
        ],
        acks: -1,
      })
    }
  }

  it('has each message in the log exactly once and in order, though server and broker are killed', async () => {
    await start()
    await send(0, 100)
    await until(
      () => kept('a'),
      (found) => found.length > 20,
    )
    // In the midst of it: some samples are on disk whose offsets were not committed.
    await server?.kill()
    await send(100, 150)
    await start()
    await send(150, 200)
    await broker.kill()
    await broker.start()
    await send(200, N)
    const expected = Array.from({ length: N }, (_, i) => i)
    for (const system of ['a', 'b', 'c']) {
      await until(
        () => kept(system),
        (found) => found.length >= N,
      )
      expect([system, (await kept(system)).map(([pressure]) => pressure)]).toEqual([system, expected])
    }
    expect((await kept('c')).every(([pressure, temperature]) => pressure === temperature)).toBe(true)

    // Offsets were committed: nothing comes again after a proper end.
    await server?.stop()
    await start()
    await send(N, N + 1)
    await until(
      () => kept('a'),
      (found) => found.length > N,
    )
    const text = await (await fetch(`${server?.url}/metrics`)).text()
    expect(text).toContain('pb_oel_bridge_samples_total{bridge="whole",outcome="accepted"}')
    expect(text).not.toContain('pb_oel_bridge_samples_total{bridge="whole",outcome="repeated"}')
  })
})
