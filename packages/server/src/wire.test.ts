import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { asyncApi, EVENT_DATA, MQTT_PAYLOADS, RECORD_BODIES, RECORD_KINDS, type RecordKind } from '@pb-oel/protocol'
import { Ajv } from 'ajv'
import mqtt from 'mqtt'
import { afterAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from './testing/folder.ts'
import { type FollowedEvent, followEvents } from './testing/follow.ts'
import { localServer } from './testing/local-server.ts'
import { MOSQUITTO, Mosquitto } from './testing/mosquitto.ts'
import { send } from './testing/requests.ts'

// What really goes over the wire, compared with what the protocol says: events, messages, webhooks and the log.

const ajv = new Ajv({ strict: false })

/** Nothing when a value has exactly the shape; otherwise what is wrong. No field may be left undeclared. */
function misfit(schema: object, value: unknown): string {
  return ajv.validate(closed(JSON.parse(JSON.stringify(schema))), value) ? '' : ajv.errorsText()
}

/** A schema that takes no other fields than it names. */
// biome-ignore lint/suspicious/noExplicitAny: any part of a schema
function closed(schema: any): any {
  if (Array.isArray(schema)) return schema.map(closed)
  if (schema === null || typeof schema !== 'object') return schema
  const parts = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]))
  return schema.type === 'object' && schema.properties ? { ...parts, additionalProperties: false } : parts
}

/** A receiver of webhooks that keeps what it gets. */
const hooked: Record<string, unknown>[] = []
const receiver = createServer(async (request: IncomingMessage, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  hooked.push(JSON.parse(text))
  response.end()
})
receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')
const webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
const broker = MOSQUITTO === undefined ? undefined : await Mosquitto.start(temporaryFolder())
const server = await localServer({
  systems: [],
  webhooks: [{ url: webhook, secret: 'sixteen characters' }],
  ...(broker && { mqtt: { url: broker.url } }),
})
afterAll(async () => {
  receiver.close()
  await broker?.stop()
})

const tank = `${server.url}/v1/systems/tank`
// The server's own log has the tokens and the deletions.
const all = RECORD_KINDS.filter((kind) => kind !== 'token' && kind !== 'deletion')

/** Everything that can happen to a system. */
async function live(): Promise<void> {
  const post = (path: string, body: object) => send(`${tank}${path}`, 'POST', body)
  const label = (assessment: number, level: number, more = {}) =>
    post('/feedback', { assessment, kind: 'label', level, by: 'eva', ...more })
  await post('/samples', { values: [1, 2], at: 5, key: 'first', mode: 'full' })
  await post('/samples', { values: { pressure: 3 } })
  await label(0, 1, { at: 7, key: 'f' })
  await label(1, 1)
  await label(0, 0, { correction: true })
  await send(tank, 'PATCH', { ask: { perThousand: 500 }, title: 'Tank' })
  await label(0, 1, { correction: true })
  for (let i = 0; i < 8; i++) await post('/samples', { values: [i, 1] })
  await post('/alarm/acknowledge', { number: 1, by: 'max' })
  await label(0, 0, { correction: true })
  await label(1, 0, { correction: true })
  await send(tank, 'PATCH', { stale: { after: 1 } })
  await post('/samples', { values: [1, 1] })
  server.service.get('tank').jumped({ by: 5_000, followed: false })
  while (!events.some(({ event }) => event === 'tick')) await setTimeout(20)
  await post('/compact', { keep: 1 })
}

const events: FollowedEvent[] = []
const configuration = {
  channels: ['pressure', 'heat'],
  levels: ['safe', 'unsafe'],
  method: 'majority',
  // Trained from the start: five samples of each level.
  options: { warmUp: Array.from({ length: 10 }, (_, i) => ({ x: [0, 0], level: i % 2 })) },
  missing: 'hold',
}
await send(`${server.url}/v1/systems`, 'POST', { id: 'tank', ...configuration })
for await (const event of followEvents(`${tank}/events?kinds=${all}&after=0`, {}, () => void live())) {
  events.push(event)
  if (event.event === 'snapshot') break
}

// Three of these make the model anew, so they happen to a system of their own.
const vat = `${server.url}/v1/systems/vat`
const remodelled: FollowedEvent[] = []
await send(`${server.url}/v1/systems`, 'POST', { id: 'vat', ...configuration, review: { secondOpinion: 1 } })
await send(`${vat}/samples`, 'POST', { values: [1, 2] })
// An answer of the same millisecond came with its sample.
await setTimeout(5)
await send(`${vat}/assignments`, 'POST', { assessment: 0, to: 'eva', by: 'max' })
await send(`${vat}/comments`, 'POST', { assessment: 0, text: 'the lid was open', by: 'max' })
await send(`${vat}/feedback`, 'POST', { assessment: 0, kind: 'cannot-tell', note: 'too dark', by: 'max' })
await send(`${vat}/feedback`, 'POST', { assessment: 0, kind: 'confirm', by: 'eva' })
await send(`${vat}/feedback`, 'POST', { assessment: 0, kind: 'label', level: 1, at: 9, key: 's', by: 'tom' })
await send(`${vat}/samples`, 'POST', { values: [1, 2] })
const stretch = await send(`${vat}/stretches`, 'POST', { from: 0, to: Date.now() + 60_000, kind: 'label', level: 1 })
await send(`${vat}/stretches/${stretch.body.sequence}`, 'DELETE')
await send(`${vat}/exclusions`, 'POST', { from: 0, why: 'spike' })
await send(`${vat}/alarm/shelve`, 'POST', { seconds: 60, oneShot: true, comment: 'known', by: 'eva' })
await send(`${vat}/levels`, 'POST', { name: 'lost' })
await send(`${vat}/channels`, 'POST', { name: 'flow', usual: 1 })
for await (const event of followEvents(`${vat}/events?kinds=${all}&after=0`)) {
  remodelled.push(event)
  if (event.event === 'channel') break
}

describe('server-sent events', () => {
  it('are all as the protocol says', () => {
    const sent = [...events, ...remodelled]
    const seen = new Set(sent.map(({ event }) => event))
    expect([...seen].sort()).toEqual(all.filter((kind) => kind !== 'compaction').sort())
    for (const { event, data } of sent) {
      expect([event, misfit(EVENT_DATA[event as keyof typeof EVENT_DATA], data)]).toEqual([event, ''])
    }
  })

  it('are the same from the log as they were live, from every place', async () => {
    for (const after of [0, 1, 2, 3, 7, events.length - 2]) {
      const again: FollowedEvent[] = []
      for await (const event of followEvents(`${tank}/events?kinds=${all}&after=${after}`)) {
        again.push(event)
        if (event.event === 'snapshot') break
      }
      expect(again).toEqual(events.filter(({ id }) => id > after))
    }
  })

  it('of an assessment carry the whole assessed sample, as REST shows it', async () => {
    const { samples } = (await send(`${tank}/samples`, 'GET')).body
    const shown = samples.map(({ answer: _, ...sample }: { answer?: object }) => sample)
    expect(events.filter(({ event }) => event === 'assessment').map(({ data }) => data)).toEqual(shown)
    expect(shown[0]).toMatchObject({ assessment: 0, values: [1, 2], at: 5, key: 'first', mode: 'full', by: 'local' })
    expect(shown[1]).toMatchObject({ values: [3, 2], degraded: ['heat'] })
    expect(samples[0].answer).toEqual({ kind: 'label', level: 0, by: 'eva' })
  })

  it('of alarms and answers say what REST says', async () => {
    const alarms = events.filter(({ event }) => event === 'alarm').map(({ data }) => data)
    const ofLevel = alarms.filter(({ about }) => about === undefined)
    expect(ofLevel.map(({ status, acknowledgedBy }) => [status, acknowledgedBy])).toEqual([
      ['active', undefined],
      ['acknowledged', 'max'],
      ['normal', 'max'],
    ])
    // A slow machine may be silent for a second before the last sample, too.
    const ofSilence = alarms.filter(({ about }) => about === 'stale').map(({ status }) => status)
    expect(ofSilence.join()).toMatch(/^active(,returned(,active)?)*$/)
    const { sequence: _, time: __, ...latest } = ofLevel[2]
    expect((await send(tank, 'GET')).body.alarm).toEqual(latest)
    const answers = events.filter(({ event }) => event === 'feedback' || event === 'correction')
    expect(answers.every(({ event, data }) => (event === 'correction') === (data.correction === true))).toBe(true)
  })
})

describe('the log', () => {
  it('holds bodies of version 2, each as the protocol says', async () => {
    const stored = await server.service.log.read('tank')
    const both = [...stored, ...(await server.service.log.read('vat'))]
    for (const { kind, body } of both) {
      expect(body.startsWith('{"version":2,')).toBe(true)
      const { version: _, ...rest } = JSON.parse(body)
      expect([kind, misfit(RECORD_BODIES[kind], rest)]).toEqual([kind, ''])
    }
    const { records } = (await send(`${tank}/log`, 'GET')).body
    expect(records.map(({ body }: { body: object }) => JSON.stringify(body))).toEqual(stored.map(({ body }) => body))
    expect(new Set(both.map(({ kind }) => kind))).toEqual(new Set<RecordKind>(all.filter((k) => k !== 'compaction')))
  })
})

describe('webhooks and MQTT', () => {
  const told = () => events.filter(({ event }) => event === 'alarm').map(({ data }) => data)
  const names = { system: 'tank', title: 'Tank' }

  it('a webhook gets the alarm as it happened', async () => {
    const ours = () => hooked.filter(({ system }) => system === 'tank')
    await expect.poll(() => ours().length).toBeGreaterThanOrEqual(told().length)
    for (const message of hooked) expect(misfit(MQTT_PAYLOADS.alarm, message)).toBe('')
    const rule = ({ about }: { about?: string }) => (about === 'stale' ? 'no sample for 1 s' : 'unsafe')
    expect(ours().slice(0, told().length)).toEqual(
      told().map((alarm) => ({ ...names, levelName: configuration.levels[alarm.level], rule: rule(alarm), ...alarm })),
    )
  })

  it.skipIf(!broker)('MQTT carries what REST and webhooks carry (needs mosquitto)', async () => {
    const silence = () => hooked.findLast(({ system, about }) => system === 'tank' && about === 'stale')
    await expect.poll(() => silence()?.status).toBe('active')
    const messages: { topic: keyof typeof MQTT_PAYLOADS; payload: Record<string, unknown> }[] = []
    const client = await mqtt.connectAsync((broker as Mosquitto).url)
    client.on('message', (topic, payload) => {
      messages.push({ topic: topic.split('/')[2] as 'alarm', payload: JSON.parse(payload.toString()) })
    })
    await client.subscribeAsync(
      ['assessment', 'alarm', 'stale-alarm', 'problem'].map((topic) => `pb-oel/tank/${topic}`),
      { qos: 1 },
    )
    const given = [
      ...[
        { values: [1, 2], id: 'n1', at: 9, mode: 'unknown' },
        { values: [1, 2], id: 'n1', at: 9, mode: 'unknown' },
      ],
      ...[{ ts: 1451649600512, values: { pressure: 4 } }, { pressure: 5, heat: 6 }, { values: ['x', 1] }],
    ]
    for (const sample of given) {
      expect(misfit(MQTT_PAYLOADS.sample, sample) === '').toBe(sample !== given.at(-1))
      await client.publishAsync('pb-oel/tank/sample', JSON.stringify(sample), { qos: 1 })
    }
    const answers = [{ assessment: 5, kind: 'confirm', id: 1 }, { assessment: 6, answer: 'reject' }, { assessment: 7 }]
    await client.publishAsync('pb-oel/tank/feedback', JSON.stringify(answers.slice(0, 2)), { qos: 1 })
    await client.publishAsync('pb-oel/tank/feedback', JSON.stringify(answers[2]), { qos: 1 })
    const from = (topic: string) => messages.filter((message) => message.topic === topic).map(({ payload }) => payload)
    await expect.poll(() => [from('assessment').length >= 4, from('problem').length >= 2]).toEqual([true, true])
    await client.endAsync()
    for (const { topic, payload } of messages) {
      expect([topic, misfit(MQTT_PAYLOADS[topic], payload)]).toEqual([topic, ''])
    }
    const { samples } = (await send(`${tank}/samples`, 'GET')).body
    const [first, again, ...others] = from('assessment')
    expect(again).toEqual({ ...first, repeated: true })
    expect([first, ...others]).toEqual(samples.slice(-3))
    expect(first).toMatchObject({ key: 'mqtt:n1', by: 'mqtt' })
    expect(from('problem').map(({ detail }) => detail)).toEqual([
      'sample/values/0: expected a number or null',
      expect.stringContaining('answer/kind: expected'),
    ])
    const asked = await Promise.all([5, 6].map((assessment) => send(`${tank}/samples/${assessment}`, 'GET')))
    expect(asked.map(({ body }) => body.answer.kind)).toEqual(['confirm', 'reject'])
    // The alarm is retained: whoever comes later knows it.
    expect(from('alarm')).toEqual([hooked.findLast(({ system, about }) => system === 'tank' && about === undefined)])
    expect(from('stale-alarm').slice(0, 2)).toMatchObject([
      { about: 'stale', status: 'active', staleAfter: 1 },
      { about: 'stale', status: 'returned', staleAfter: 1 },
    ])
  })

  it('are described by /asyncapi.json, which is made from the protocol', async () => {
    const document = (await send(`${server.url}/asyncapi.json`, 'GET')).body
    expect(document).toEqual(JSON.parse(JSON.stringify(asyncApi())))
    const { events: stream, ...topics } = document.channels
    expect(Object.keys(stream.messages).sort()).toEqual(Object.keys(EVENT_DATA).sort())
    expect(Object.keys(topics).sort()).toEqual(
      [...Object.keys(MQTT_PAYLOADS).map((topic) => `mqtt-${topic}`), 'webhook'].sort(),
    )
  })
})
