import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import '@fastify/swagger'
import mqtt from 'mqtt'
import { afterAll, describe, expect, it } from 'vitest'
import { localIntake } from './bridges/intake.ts'
import { SlowLog } from './log/testing/slow-log.ts'
import { MqttBridge } from './mqtt/bridge.ts'
import { temporaryFolder } from './testing/folder.ts'
import { followEvents } from './testing/follow.ts'
import { PLANT } from './testing/local-server.ts'
import { memoryApp } from './testing/memory-app.ts'
import { MOSQUITTO, Mosquitto } from './testing/mosquitto.ts'

/** Milliseconds until a record is on disk: memory is always this far ahead. */
const DELAY = 20
/** The load ends when so much is on disk and every route was asked so often. */
const [SAMPLES, ANSWERS, LOOKS] = [150, 30, 6]

const log = new SlowLog(DELAY)
// Trained from the start, so that levels are findings and raise alarms: the second channel is the level.
const warmUp = Array.from({ length: 21 }, (_, i) => ({ x: [i % 7, i % 3], level: i % 3 }))
const plant = { ...PLANT, options: { ...PLANT.options, warmUp } }
const { app, service, metrics } = await memoryApp({ requestsPerSecond: 1e9, streams: 20 }, Date.now, log, plant)
const url = await app.listen({ host: '127.0.0.1', port: 0 })
const broker = MOSQUITTO === undefined ? undefined : await Mosquitto.start(temporaryFolder())
const silent = { onChange: () => {}, onFailure: () => {}, onDefect: () => {} }
const work = { intake: localIntake(service), clock: service.time.clock, metrics }
const bridge = broker && new MqttBridge(work, { url: broker.url, clientId: 'durable' }, silent)
afterAll(async () => {
  await bridge?.stop()
  await broker?.stop()
  app.server.closeAllConnections()
  await app.close()
})

/** What was shown before it was on disk. */
const early: string[] = []
/** How often something was looked at, by where. */
const looks = new Map<string, number>()

/** Number of the latest assessment that a writer was told of. */
let latest = 0

/** Compares every number that tells of the state, wherever it stands, with what is on disk at this moment. */
function look(where: string, value: unknown, system = 'plant'): void {
  looks.set(where, (looks.get(where) ?? 0) + 1)
  const samples = log.count(system, 'sample')
  const answers = log.count(system, 'feedback') + log.count(system, 'correction')
  const limits: Record<string, number> = {
    ...{ sequence: log.end(system), last: log.end(system), assessment: samples - 1, samples, checks: samples },
    ...{ openQuestions: samples, open: samples, rounds: answers, confirms: answers, right: answers },
  }
  const search = (part: unknown, path: string): void => {
    if (part === null || typeof part !== 'object') return
    for (const [name, entry] of Object.entries(part)) {
      if (typeof entry === 'number' && name in limits && entry > limits[name]) {
        early.push(`${where}${path}/${name}: ${entry}, on disk ${limits[name]}`)
      } else search(entry, `${path}/${name}`)
    }
  }
  search(value, '')
}

const inject = (method: string, path: string, payload?: object) =>
  app.inject({ method: method as 'GET', url: path, headers: { host: 'localhost' }, ...(payload && { payload }) })

interface Operation {
  path: string
  method: string
  operationId: string
}
const paths = Object.entries(app.swagger().paths as Record<string, Record<string, { operationId: string }>>)
const operations: Operation[] = paths.flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({ path, method, operationId })),
)
/** What writers and readers send to routes that need a body; routes that are asked for nothing have none. */
const BODIES: Record<string, (n: number) => object> = {
  assess: (n) => ({ values: [(n >> 1) % 7, (n >> 1) % 3], key: `key-${n >> 1}` }),
  answer: (n) => ({
    assessment: Math.max(0, latest - (n % 9)),
    kind: n % 3 ? 'confirm' : 'reject',
    correction: n % 2 > 0,
  }),
  claimQuestion: () => ({}),
  changeSystem: (n) => ({ title: `Plant ${n}` }),
  acknowledgeAlarm: (n) => ({ number: 1 + (n % 5) }),
  compactLog: () => ({ keep: 20_000 }),
  createSystem: (n) => ({ ...PLANT, id: `plant-${n}` }),
}
/** Routes that show nothing of a system, or only what they compute from the log in threads of their own. */
const OTHERS = [
  'createToken',
  'revokeToken',
  'changeSimulation',
  'backUp',
  'listBackups',
  'getBackup',
  'releaseQuestion',
  'followEvents',
  'explain',
  'whatIf',
  'listReviewers',
]

const asked = operations.filter(({ operationId }) => !OTHERS.includes(operationId))

/** Whether there was load enough. */
function over(): boolean {
  const answers = log.count('plant', 'feedback') + log.count('plant', 'correction')
  if (early.length > 0) return true
  if (log.count('plant', 'sample') < SAMPLES || answers < ANSWERS) return false
  return asked.every(({ operationId }) => (looks.get(operationId) ?? 0) >= LOOKS)
}

/** Whether there are so many samples that more only make those routes slow that read the log. */
const hasPlenty = () => log.count('plant', 'sample') > 2 * SAMPLES

/** A moment between two steps of a loop, longer where it has done enough: a busy machine needs it for the others. */
function breathe(milliseconds: number, enough = hasPlenty()): Promise<void> {
  return setTimeout(enough ? 200 : milliseconds)
}

/** Asks one route again and again. */
async function keepAsking({ path, method, operationId }: Operation): Promise<void> {
  for (let n = 0; !over(); n++) {
    const body = BODIES[operationId]?.(n)
    const system = operationId === 'createSystem' ? (body as { id: string }).id : 'plant'
    const address = path.replace('{id}', 'plant').replace('{assessment}', String(n))
    const response = await inject(method.toUpperCase(), address, body)
    expect(response.statusCode, `${operationId}: ${response.body}`).toBeLessThan(500)
    if (operationId === 'listSystems') {
      for (const row of response.json().systems) look(operationId, row, row.id)
    } else if (operationId === 'metrics') {
      const open = response.body.match(/^pb_oel_open_questions\{system="plant"\} (\d+)$/m)?.[1]
      look(operationId, { open: Number(open) })
    } else if (operationId === 'exportSamples') {
      // Lines of text: the names of the columns, then one sample each.
      look(operationId, { samples: response.body.trim().split('\n').length - 1 })
    } else look(operationId, response.json(), system)
    if (operationId === 'assess') latest = Math.max(latest, response.json().assessment)
    // Timers must have their turn: the log is one.
    await breathe(5, operationId === 'assess' ? hasPlenty() : (looks.get(operationId) ?? 0) >= LOOKS)
  }
}

/** Streams lines in and reads the answers as they come. */
async function keepStreaming(): Promise<void> {
  async function* lines() {
    for (let n = 0; !over(); n++) {
      yield Buffer.from(`{"values":[${n % 5},1]}\n`.repeat(5))
      await breathe(10)
    }
  }
  const response = await fetch(`${url}/v1/systems/plant/samples`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, duplex: 'half' },
    body: Readable.from(lines()) as never,
  } as RequestInit)
  let text = ''
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString()
    const complete = text.lastIndexOf('\n') + 1
    for (const line of text.slice(0, complete).split('\n')) if (line) look('lines', JSON.parse(line))
    text = text.slice(complete)
  }
}

async function keepFollowing(query: string): Promise<void> {
  for await (const { id, event, data } of followEvents(`${url}/v1/systems/plant/events${query}`)) {
    look(`events ${event}`, { ...data, ...(event !== 'gap' && { last: id }) })
    if (over()) return
  }
}

async function keepPublishing(): Promise<void> {
  if (!broker) return
  const client = await mqtt.connectAsync(broker.url)
  client.on('message', (topic, payload) => look(topic, JSON.parse(payload.toString())))
  await client.subscribeAsync('pb-oel/plant/#', { qos: 1 })
  for (let n = 0; !over(); n++) {
    await client.publishAsync('pb-oel/plant/sample', JSON.stringify({ values: [n % 4, 2], id: n }), { qos: 1 })
    await breathe(5)
  }
  await setTimeout(5 * DELAY)
  await client.endAsync()
}

describe('with a log that takes 20 ms', () => {
  it('no route and no stream shows what is not on disk, to many readers and writers at once', async () => {
    await inject('PATCH', '/v1/systems/plant', { alarm: { level: 1, clearBelow: 1 }, missing: 'hold' })
    const writers = asked.filter(({ operationId }) => operationId === 'assess' || operationId === 'answer')
    const following = ['', '?after=0', '?after=0&kinds=sample,assessment,alarm,snapshot'].map(keepFollowing)
    await Promise.all([...[...asked, ...writers, ...writers].map(keepAsking), keepStreaming(), keepPublishing()])
    // Followers look whether the load is over only when an event comes, and nobody else writes any more.
    await inject('POST', '/v1/systems/plant/samples', { values: [1, 1] })
    await Promise.all(following)
    expect(early.slice(0, 10)).toEqual([])
    expect(over()).toBe(true)
    for (const where of ['lines', 'events assessment', 'events feedback', 'events sample', 'events alarm']) {
      expect([where, looks.has(where)]).toEqual([where, true])
    }
  })

  it.skipIf(!broker)('MQTT was among them (needs mosquitto)', () => {
    expect(looks.get('pb-oel/plant/assessment')).toBeGreaterThan(10)
  })

  it('a log that refuses meanwhile: readers and writers are told, and the list says that the system is not ready', async () => {
    const before = await service.get('plant').overview()
    const held = Promise.withResolvers<void>()
    log.held = held.promise
    const { appended } = log
    const writing = inject('POST', '/v1/systems/plant/samples', { values: [1, 2] })
    // Then the sample is assessed, and not on disk yet.
    while (log.appended === appended) await setTimeout(1)
    const reading = inject('GET', '/v1/systems/plant')
    const listing = inject('GET', '/v1/systems')
    await setTimeout(DELAY / 4)
    log.refuses = 'disk full'
    log.held = undefined
    held.resolve()
    expect((await writing).statusCode).toBe(507)
    expect((await reading).statusCode).toBe(507)
    const row = (await listing).json().systems.find(({ id }: { id: string }) => id === 'plant')
    expect(row).toMatchObject({ ready: false, level: null, likely: null, confidence: null, probabilities: [] })
    expect(row).toMatchObject({ title: before.title, samples: before.samples, sequence: before.sequence })
    expect((await inject('GET', '/metrics')).body).toContain('pb_oel_system_ready{system="plant"} 0')
    expect((await inject('GET', '/readyz')).statusCode).toBe(503)
    log.refuses = undefined
    while (!service.ready) await setTimeout(50)
    expect(await service.get('plant').overview()).toMatchObject({ ready: true, sequence: before.sequence })
  })
})
