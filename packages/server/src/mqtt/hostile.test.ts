import { join } from 'node:path'
import mqtt, { type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChildServer } from '../testing/child-server.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { PLANT } from '../testing/local-server.ts'
import { MOSQUITTO, Mosquitto } from '../testing/mosquitto.ts'
import { send } from '../testing/requests.ts'

const DEPTH = 20_000
const deep = (inner: string) => `${'['.repeat(DEPTH)}${inner}${']'.repeat(DEPTH)}`
const deepObject = `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`

/** Payloads that are no samples and no answers, in every form a broken or hostile sender may find. */
const PAYLOADS: Record<string, string | Buffer> = {
  'deep list with a time': `{"ts":1,"values":${deep('1')}}`,
  'deep list': `{"values":${deep('1')}}`,
  'deep list of samples': deep('{"values":[1,2]}'),
  'deep plain value': `{"pressure":${deep('1')},"temperature":1}`,
  'deep object with a time': `{"ts":1,"values":${deepObject}}`,
  'deep id': `{"values":[1,2],"id":${deep('1')}}`,
  'deep answer': `{"assessment":${deep('0')},"kind":"confirm"}`,
  'never closed': '['.repeat(2 * DEPTH),
  binary: Buffer.from(Array.from({ length: 1000 }, (_, i) => (i * 7) % 256)),
  'invalid UTF-8': Buffer.concat([Buffer.from('{"values":[1,2],"id":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
  'no bytes': '',
  huge: `{"values":[1,2],"id":"${'x'.repeat(9 << 20)}"}`,
  'many entries': JSON.stringify(Array.from({ length: 1_001 }, () => ({ values: [1, 2] }))),
  'wrong types': '{"values":{"pressure":"1","temperature":true}}',
  'numbers that are none': '{"values":[1e999,-1e999]}',
  prototype: '{"values":{"__proto__":1,"constructor":2}}',
  'two levels': '{"assessment":1e999,"kind":"label","level":-1}',
  text: '"values"',
  number: '1e308',
  null: 'null',
}

describe.skipIf(!MOSQUITTO)('hostile MQTT payloads (needs mosquitto)', () => {
  const folder = temporaryFolder()
  const store = join(folder, 'hostile.db')
  let broker: Mosquitto
  let sensor: MqttClient
  let server: ChildServer
  const problems: { status: number; detail: string }[] = []
  const start = () => ChildServer.start({ store, port: 0, mqtt: { url: broker.url }, systems: [PLANT] })
  const samples = async () => (await send(`${server.url}/v1/systems/plant`, 'GET')).body.samples
  const until = (done: () => boolean | Promise<boolean>) => expect.poll(done).toBe(true)
  /** Everything sent before has been handled when this sample has been. */
  let marks = 0
  const settle = async () => {
    const id = `mark-${marks++}`
    const latest = () => send(`${server.url}/v1/systems/plant/log?kinds=sample&latest=true&limit=1`, 'GET')
    await until(async () => {
      // Again and again: nobody keeps it for a server that has yet to subscribe. By its id it is taken once.
      await sensor.publishAsync('pb-oel/plant/sample', JSON.stringify({ values: [1, 2], id }), { qos: 1 })
      return (await latest()).body.records?.[0]?.body.key === `mqtt:${id}`
    })
  }

  beforeAll(async () => {
    broker = await Mosquitto.start(folder)
    sensor = await mqtt.connectAsync(broker.url, { clientId: 'sensor' })
    sensor.on('message', (_topic, payload) => problems.push(JSON.parse(payload.toString())))
    await sensor.subscribeAsync('pb-oel/plant/problem', { qos: 1 })
    server = await start()
  })
  afterAll(async () => {
    await sensor.endAsync()
    await server.stop()
    await broker.stop()
  })

  it('cost a problem message each, never the process', async () => {
    await settle()
    for (const [name, payload] of Object.entries(PAYLOADS)) {
      for (const topic of ['sample', 'feedback']) {
        const before = problems.length
        await sensor.publishAsync(`pb-oel/plant/${topic}`, payload, { qos: 1 })
        await until(() => problems.length > before || !server.running)
        expect([name, topic, server.running]).toEqual([name, topic, true])
        const { status, detail } = problems[before]
        expect([name, topic, status >= 400 && status < 500]).toEqual([name, topic, true])
        expect(detail.length).toBeLessThanOrEqual(500)
      }
    }
    await settle()
    expect(await samples()).toBe(marks)
  })

  it('that are retained do no more harm, and retained samples are learned once', async () => {
    const retained = { qos: 1, retain: true } as const
    await sensor.publishAsync('pb-oel/plant/feedback', PAYLOADS['deep list with a time'], retained)
    await sensor.publishAsync('pb-oel/plant/sample', '{"values":[3,4]}', retained)
    await settle()
    // What was handled before this one is acknowledged to the broker: a kill does not bring it again.
    await settle()
    const count = await samples()
    for (let restart = 0; restart < 2; restart++) {
      if (restart === 0) await server.kill()
      else await server.stop()
      server = await start()
      await settle()
      expect(server.running).toBe(true)
      expect(await samples()).toBe(count + 1 + restart)
    }
    // The broker tells of retained messages at every connection, too.
    await broker.stop()
    await broker.start()
    await until(() => sensor.connected)
    await settle()
    expect(await samples()).toBe(count + 3)
    // One that can be recognised is taken, once.
    await sensor.publishAsync('pb-oel/plant/sample', '{"values":[3,4],"id":"kept"}', retained)
    await settle()
    await server.stop()
    server = await start()
    await settle()
    expect(await samples()).toBe(count + 3 + 1 + 2)
  })
})
