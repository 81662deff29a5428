import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import mqtt from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Intake, localIntake } from '../bridges/intake.ts'
import { NotReady } from '../errors.ts'
import { problemOf } from '../http/problems.ts'
import { Metrics } from '../metrics/metrics.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { localServer, PLANT } from '../testing/local-server.ts'
import { MOSQUITTO, Mosquitto } from '../testing/mosquitto.ts'
import { detail, hashOfState } from '../views/system.ts'
import { MqttBridge } from './bridge.ts'
import { parseFeedback, parseSamples } from './payload.ts'

describe('MQTT payloads', () => {
  const samples = (value: unknown) => parseSamples(Buffer.from(JSON.stringify(value)))

  it('are our own, ThingsBoard telemetry, or plain names and numbers, alone or in lists', () => {
    expect(samples({ values: [1, 2], at: 5, id: 'a1' })).toEqual([{ values: [1, 2], at: 5, key: 'mqtt:a1' }])
    expect(samples({ pressure: 1, temperature: null })).toEqual([{ values: { pressure: 1, temperature: null } }])
    const [telemetry, same] = samples([
      { ts: 1451649600512, values: { pressure: 1 } },
      { ts: 1451649600512, values: { pressure: 1 } },
    ])
    expect(telemetry).toMatchObject({ at: 1451649600512, values: { pressure: 1 } })
    // The same telemetry twice is one sample: its content is its key.
    expect(telemetry.key).toBe(same.key)
    expect(samples({ ts: 1451649600513, values: { pressure: 1 } })[0].key).not.toBe(telemetry.key)
  })

  it('have ids that become keys, of answers too, and are at most a thousand in 8 MiB of UTF-8', () => {
    const answer = { assessment: 1, kind: 'confirm' }
    expect(parseFeedback(Buffer.from(JSON.stringify([{ ...answer, id: 5 }, answer])))).toEqual([
      ...[{ ...answer, key: 'mqtt:5' }, answer],
    ])
    expect(samples({ values: [1], id: 5 })).toEqual([{ values: [1], key: 'mqtt:5' }])
    const many = (count: number) => () => samples(Array.from({ length: count }, () => ({ values: [1] })))
    expect(many(1_000)).not.toThrow()
    expect(many(1_001)).toThrow('expected at most 1000 entries')
    const large = (bytes: number) => () => parseSamples(Buffer.from(`{"values":[1]}${' '.repeat(bytes - 14)}`))
    expect(large(8 << 20)).not.toThrow()
    expect(large((8 << 20) + 1)).toThrow('expected at most 8388608 bytes')
    expect(() => parseSamples(Buffer.from('{"values":[1],"id":"\xc3("}', 'latin1'))).toThrow('expected JSON in UTF-8')
  })

  it('that are anything else are refused by name, never by a crash', () => {
    const payload = fc.oneof(
      fc.json(),
      fc.string(),
      fc.constantFrom('[]', 'null', '{"values":1}', '{"values":{"a":"1"}}', '{"values":[],"ts":-1}'),
    )
    fc.assert(
      fc.property(payload, (text) => {
        for (const parse of [parseSamples, parseFeedback]) {
          try {
            parse(Buffer.from(text))
          } catch (error) {
            expect(problemOf(error as Error).status).toBe(400)
          }
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe.skipIf(!MOSQUITTO)('a real broker (needs mosquitto)', () => {
  const folder = temporaryFolder()
  let broker: Mosquitto
  beforeAll(async () => {
    broker = await Mosquitto.start(folder)
  })
  afterAll(() => broker.stop())

  it('samples in, assessments and alarms out, broker restarted in between: nothing lost, nothing doubled', {
    timeout: 120_000,
  }, async () => {
    const { url } = broker
    const server = await localServer({ mqtt: { url } })
    await server.service.create(
      'boat',
      { channels: ['a', 'b'], levels: ['safe', 'unsafe'], method: 'majority', alarm: { level: 1, clearBelow: 1 } },
      'test',
    )
    const boat = server.service.get('boat')
    const counts = async () => (await boat.read(detail(0))).counts
    const hashOf = () => boat.read(hashOfState())

    // A listener whose session survives the broker, and a sensor that keeps what was not acknowledged.
    const listener = await mqtt.connectAsync(url, { clientId: 'listener', clean: false, reconnectPeriod: 200 })
    const assessments = new Map<string, unknown[]>()
    const alarms = new Map<number, string>()
    const problems: unknown[] = []
    const qualities = new Set<number>()
    listener.on('message', (topic, payload, { qos }) => {
      qualities.add(qos)
      const message = JSON.parse(payload.toString())
      if (topic.endsWith('/assessment'))
        assessments.set(message.key, [...(assessments.get(message.key) ?? []), message.assessment])
      else if (topic.endsWith('/alarm')) alarms.set(message.sequence, message.status)
      else problems.push(message)
    })
    await listener.subscribeAsync(
      ['pb-oel/boat/assessment', 'pb-oel/boat/alarm', 'pb-oel/boat/problem', 'pb-oel/none/problem'],
      { qos: 1 },
    )
    const sensor = await mqtt.connectAsync(url, { clientId: 'sensor', clean: false, reconnectPeriod: 200 })

    const published: Promise<unknown>[] = []
    const publish = (topic: string, value: unknown) => {
      published.push(
        sensor.publishAsync(`pb-oel/boat/${topic}`, typeof value === 'string' ? value : JSON.stringify(value), {
          qos: 1,
        }),
      )
    }
    const until = (done: () => boolean | Promise<boolean>) => expect.poll(done).toBe(true)

    const N = 120
    for (let i = 0; i < N; i++) {
      publish('sample', { values: [i, 1], id: `n${i}` })
      // The same message again, as a sensor that is not sure does.
      if (i % 10 === 0) publish('sample', { values: [i, 1], id: `n${i}` })
      if (i === 60) await broker.stop()
      if (i === 90) await broker.start()
      await setTimeout(5)
    }
    await Promise.all(published)
    await until(() => assessments.size === N)
    expect((await counts()).samples).toBe(N)
    // QoS 1 may repeat a message, but all repetitions say the same.
    for (const [id, numbers] of assessments) expect([id, new Set(numbers).size]).toEqual([id, 1])
    expect(new Set([...assessments.values()].map(([number]) => number)).size).toBe(N)

    // People answer over MQTT too; with the labels the majority turns, and the alarm goes off.
    for (let i = N - 50; i < N; i++)
      publish('feedback', { assessment: i, kind: 'label', level: 1, id: `f${i}`, by: 'eva' })
    publish('feedback', { assessment: N - 1, kind: 'label', level: 1, id: `f${N - 1}` })
    await Promise.all(published)
    await until(async () => (await counts()).labels === 50)
    publish('sample', { ts: 1000, values: { a: 1, b: 2 } })
    await until(() => [...alarms.values()].includes('active'))
    // Whoever comes later is told of the alarm by the broker.
    const late = await mqtt.connectAsync(url, { clientId: 'late' })
    const told = new Promise<unknown[]>((done) => {
      late.on('message', (topic, payload, { qos, retain }) => {
        done([topic, JSON.parse(payload.toString()).status, qos, retain])
      })
    })
    await late.subscribeAsync('pb-oel/boat/#', { qos: 1 })
    expect(await told).toEqual(['pb-oel/boat/alarm', 'active', 1, true])
    await late.endAsync()
    expect([...qualities]).toEqual([1])

    // Whatever comes, the answer is a problem document, and the bridge goes on.
    const before = await hashOf()
    const rubbish = fc
      .sample(fc.oneof(fc.json(), fc.string()), { numRuns: 60, seed: 7 })
      .filter((text) => !/^\s*(\[\s*)?\{\s*"values"/.test(text))
    const start = problems.length
    for (const text of rubbish) {
      publish('sample', text)
      publish('feedback', text)
    }
    publish('sample', { values: { a: 'x', b: 1 } })
    publish('feedback', { assessment: 10_000, kind: 'confirm' })
    published.push(sensor.publishAsync('pb-oel/none/sample', '{"values":[1]}', { qos: 1 }))
    await Promise.all(published)
    await until(() => problems.length >= start + 3)
    expect(
      problems.every(
        (problem) => (problem as { status: number }).status >= 400 && (problem as { status: number }).status < 500,
      ),
    ).toBe(true)
    expect(await hashOf()).toBe(before)
    await sensor.endAsync()
    await listener.endAsync()
  })

  it('messages of a system that cannot take them wait in order, and those of other systems do not', async () => {
    const server = await localServer()
    for (const id of ['stuck', 'free'])
      await server.service.create(id, { ...PLANT, method: 'majority', options: {} }, 'test')
    const local = localIntake(server.service)
    let stuck = true
    const intake: Intake = {
      ...local,
      samples: (system, samples, by) =>
        stuck && system === 'stuck' ? Promise.reject(new NotReady('elsewhere')) : local.samples(system, samples, by),
    }
    const failures: string[] = []
    const events = { onChange: () => {}, onFailure: (error: Error) => failures.push(error.message), onDefect: () => {} }
    const work = { intake, clock: server.service.time.clock, metrics: new Metrics() }
    const bridge = new MqttBridge(work, { url: broker.url, clientId: 'two-systems' }, events)
    const sensor = await mqtt.connectAsync(broker.url)
    const send = (system: string, i: number, padding = '') =>
      sensor.publishAsync(`pb-oel/${system}/sample`, JSON.stringify({ values: [i, 1], id: `${i}` }) + padding, {
        qos: 1,
      })
    const kept = async (id: string) =>
      (await (await fetch(`${server.url}/v1/systems/${id}/samples`)).json()).samples.map(
        ({ values }: { values: number[] }) => values[0],
      )
    // The bridge subscribes when it is connected.
    await expect
      .poll(async () => {
        await send('free', 0)
        return (await kept('free')).length
      })
      .toBeGreaterThan(0)
    // Of 21 MB the bridge keeps 14; the rest waits at the broker.
    const large = ' '.repeat(7 << 20)
    for (let i = 0; i < 3; i++) await send('stuck', i, large)
    for (let i = 3; i < 5; i++) await send('stuck', i)
    await expect.poll(() => failures.length > 0).toBe(true)
    for (let i = 0; i < 5; i++) await send('free', 100 + i)
    await expect
      .poll(async () => (await kept('free')).filter((value: number) => value > 0))
      .toEqual([100, 101, 102, 103, 104])
    expect(await kept('stuck')).toEqual([])
    stuck = false
    await expect.poll(() => kept('stuck'), { timeout: 10_000 }).toEqual([0, 1, 2, 3, 4])
    await sensor.endAsync()
    await bridge.stop()
  })
})
