import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Guarantee, MQTT_PAYLOADS } from '@pb-oel/protocol'
import { Ajv } from 'ajv'
import mqtt from 'mqtt'
import { afterAll, describe, expect, it } from 'vitest'
import { SystemFold } from './fold/system-fold.ts'
import { SERVER_LOG } from './log/record.ts'
import { SqliteLogReader } from './log/sqlite-log.ts'
import { certifySystem } from './replay/certify-system.ts'
import { rebuild } from './replay/recover.ts'
import { replaySystem } from './replay/replay.ts'
import { temporaryFolder } from './testing/folder.ts'
import { localServer } from './testing/local-server.ts'
import { MOSQUITTO, Mosquitto } from './testing/mosquitto.ts'
import { send } from './testing/requests.ts'

// The promises of docs/promises.md, seen from outside: a real server, asked over HTTP.

const hooked: Record<string, unknown>[] = []
const receiver = createServer(async (request: IncomingMessage, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  hooked.push(JSON.parse(text))
  response.end()
})
receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')
const broker = MOSQUITTO === undefined ? undefined : await Mosquitto.start(temporaryFolder())
const server = await localServer({
  systems: [],
  webhooks: [{ url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, secret: 'sixteen characters' }],
  ...(broker && { mqtt: { url: broker.url } }),
})
afterAll(async () => {
  receiver.close()
  await broker?.stop()
})

const { log } = server.service

/** A system on the server; `majority` assesses the level that it was told most often. */
async function system(id: string, more: object = {}) {
  const url = `${server.url}/v1/systems/${id}`
  const given = { id, channels: ['a'], levels: ['safe', 'odd', 'unsafe'], method: 'majority', ...more }
  expect(await send(`${server.url}/v1/systems`, 'POST', given)).toMatchObject({ status: 201 })
  const get = async (path = '') => (await send(`${url}${path}`, 'GET')).body
  const sample = async (value = 1) => (await send(`${url}/samples`, 'POST', { values: [value] })).body
  const answer = (assessment: number, kind: string, level?: number) =>
    send(`${url}/feedback`, 'POST', { assessment, kind, by: 'eva', ...(level !== undefined && { level }) })
  /** Assesses samples and names their level. */
  const teach = async (times: number, level: number) => {
    for (let i = 0; i < times; i++) await answer((await sample()).assessment, 'label', level)
  }
  const change = (body: object) => send(url, 'PATCH', body)
  return { url, get, sample, answer, teach, change }
}

const metric = async (name: string, id: string) => {
  const text = (await send(`${server.url}/metrics`, 'GET')).body as string
  const value = text.match(new RegExp(`^${name}\\{system="${id}"\\} (\\S+)$`, 'm'))?.[1]
  return value === undefined ? undefined : Number(value)
}

describe('an untrained system', () => {
  it('gives no level as a finding, raises no alarm, and says how much is missing, until it has been told enough', async () => {
    const { get, sample, answer, teach } = await system('new', { alarm: { level: 1, clearBelow: 1 } })
    for (let i = 0; i < 4; i++) {
      const { assessment, trained } = await sample()
      expect(trained).toBe(false)
      await answer(assessment, 'label', 2)
    }
    expect(await sample()).toMatchObject({ trained: false, level: 2 })
    const nothing = { level: null, levelName: null, likely: null, safeSide: null, confidence: null, probabilities: [] }
    expect(await get()).toMatchObject({
      trained: false,
      answersMissing: 1,
      ...nothing,
      alarm: { status: 'normal', number: 0 },
    })
    const { promises } = await get('/guarantee')
    expect(promises).toMatchObject({ trained: false, answersPerLevel: [0, 0, 4], answersNeeded: 5 })
    expect(await metric('pb_oel_trained', 'new')).toBe(0)
    expect(await metric('pb_oel_level', 'new')).toBeUndefined()
    await teach(1, 2)
    expect(await sample()).toMatchObject({ trained: true, level: 2 })
    expect(await get()).toMatchObject({ trained: true, level: 2, levelName: 'unsafe', alarm: { status: 'active' } })
    expect(await metric('pb_oel_level', 'new')).toBe(2)
  })

  it('is trained from the start by labelled samples', async () => {
    const warmUp = Array.from({ length: 5 }, () => ({ x: [1], level: 1 }))
    const { sample } = await system('warm', { options: { warmUp } })
    expect(await sample()).toMatchObject({ trained: true })
  })
})

describe('an assessment', () => {
  it('has the same confidence, raw confidence and safe-side level wherever it is shown', async () => {
    const { get, sample, teach } = await system('same', { method: 'no-change' })
    await teach(12, 0)
    const said = await sample()
    const fields = (({ confidence, rawConfidence, safeSide, trained, probabilities }) => {
      return { confidence, rawConfidence, safeSide, trained, probabilities }
    })(said)
    expect(fields.rawConfidence).toBeGreaterThanOrEqual(0)
    const { samples } = await get('/samples')
    const { questions } = await get('/queue')
    expect(samples.at(-1)).toMatchObject(fields)
    expect(questions.find(({ assessment }: { assessment: number }) => assessment === 12)).toMatchObject(fields)
    const { confidence, safeSide, probabilities } = fields
    expect(await get()).toMatchObject({ confidence, safeSide, probabilities })
  })

  it('shows a confidence that the answers have taught, and says what the model itself says', async () => {
    const { sample, answer, teach } = await system('sure', { levels: ['safe', 'unsafe'] })
    await teach(6, 0)
    for (let i = 0; i < 60; i++) {
      const { assessment } = await sample()
      await answer(assessment, i % 2 ? 'confirm' : 'reject')
    }
    const { confidence, rawConfidence } = await sample()
    expect(Math.abs(confidence - 0.5)).toBeLessThan(Math.abs(rawConfidence - 0.5))
  })

  it('an alarm can watch its safe-side level, which goes up when misses come', async () => {
    const { get, sample, answer, teach } = await system('side', {
      levels: ['safe', 'unsafe'],
      alarm: { level: 1, clearBelow: 1, watch: 'safe-side' },
      promises: { missTarget: 0.001 },
    })
    await teach(100, 0)
    expect(await get()).toMatchObject({ likely: 0, safeSide: 0, alarm: { status: 'normal' } })
    for (let i = 0; i < 30; i++) await answer((await sample()).assessment, 'label', 1)
    expect(await get()).toMatchObject({ likely: 0, safeSide: 1, alarm: { status: 'active', level: 1 } })
  })
})

describe('certificates', () => {
  it('count every sample that nobody answered as wrong where everything is asked', async () => {
    const { get, sample, teach } = await system('open')
    await teach(30, 0)
    for (let i = 0; i < 10; i++) await sample()
    const guarantee = await get('/guarantee')
    expect(new Ajv({ strict: false }).validate(Guarantee, guarantee)).toBe(true)
    const { accuracy, outcomes, estimated, misses } = guarantee.promises
    expect(estimated).toBe(false)
    expect(accuracy).toMatchObject({ samples: 40, checks: 40, wrong: 10, certified: 0.75, estimate: 1 })
    expect(misses).toMatchObject({ samples: 40, certified: 0.75 })
    expect(outcomes).toMatchObject({ weight: 30, accuracy: 1 })
    expect(await get()).toMatchObject({ accuracy: 1, certifiedAccuracy: 0.75, estimated: false })
    expect(await metric('pb_oel_certified_accuracy_ratio', 'open')).toBe(0.75)
    const { points } = await get('/progress')
    expect(points.at(-1)).toMatchObject({ accuracy: 1, certified: 1 })
    expect(guarantee.secondsPerSample).toBeGreaterThan(0)
    const times = (await get('/samples')).samples.map(({ time }: { time: number }) => time)
    expect(guarantee.secondsPerSample).toBeCloseTo((times.at(-1) - times[0]) / 1000 / 39, 9)
  })

  it('figures are weighed by 1/π where questions are chosen, and answers nobody asked for do not count', async () => {
    const { get, sample, answer } = await system('chosen', { ask: { strategy: 'margin', perThousand: 400 } })
    let [right, all] = [0, 0]
    for (let t = 0; t < 200; t++) {
      const { assessment, level, asked } = await sample()
      const truth = t % 8 === 0 ? 1 : 0
      // Volunteered answers, all of them "right", would make the system look better.
      if (!asked && level === truth) await answer(assessment, 'confirm')
      if (!asked) continue
      await answer(assessment, 'label', truth)
      all += 1 / asked.probability
      if (level === truth) right += 1 / asked.probability
    }
    const { accuracy, recentAccuracy, estimated, counts } = await get()
    expect(estimated).toBe(true)
    expect(accuracy).toBeCloseTo(right / all, 10)
    expect(recentAccuracy).toBeCloseTo(right / all, 10)
    expect(counts.right / (counts.right + counts.wrong)).toBeGreaterThan(accuracy + 0.01)
    const { accuracy: certificate } = (await get('/guarantee')).promises
    expect(certificate.checks).toBeLessThan(120)
    expect(certificate.certified).toBeLessThan(right / all)
  })

  it('begin anew when the rule of asking changes, and go on when only their confidence does', async () => {
    const { get, sample, teach, change } = await system('rules')
    await teach(20, 0)
    await change({ promises: { confidence: 0.99 } })
    expect((await get('/guarantee')).promises).toMatchObject({ since: 0, accuracy: { samples: 20, confidence: 0.99 } })
    await change({ ask: { strategy: 'random', perThousand: 100 } })
    await sample()
    expect((await get('/guarantee')).promises).toMatchObject({ since: 20, trained: true, accuracy: { samples: 1 } })
    expect((await change({ promises: { target: 0.2 } })).status).toBe(400)
    expect((await change({ promises: { target: 0.97 } })).body.configuration.promises.target).toBe(0.97)
    expect((await change({ promises: { target: null } })).body.configuration.promises).not.toHaveProperty('target')
  })

  it('of a system from its log are those it shows, at any confidence, with a target', async () => {
    const { get } = await system('logged', { ask: { strategy: 'random', perThousand: 500 } })
    const one = async () => {
      const { assessment, asked, level } = (
        await send(`${server.url}/v1/systems/logged/samples`, 'POST', { values: [1] })
      ).body
      const kind = level === 0 ? 'confirm' : 'reject'
      if (asked) await send(`${server.url}/v1/systems/logged/feedback`, 'POST', { assessment, kind })
    }
    for (let i = 0; i < 100; i++) await one()
    const { samples, checks, wrong, certified } = (await get('/guarantee')).promises.accuracy
    const given = { system: 'logged', samples, checks, wrong }
    expect(await certifySystem(log, 'logged', {})).toEqual({ ...given, confidence: 0.95, certified })
    const surer = await certifySystem(log, 'logged', { confidence: 0.999, target: 0.99 })
    expect(surer).toMatchObject({ ...given, confidence: 0.999, target: 0.99 })
    expect(surer.certified).toBeLessThan(certified)
    expect(surer.moreChecks).toBeGreaterThan(0)
  })
})

describe('the bound of regret', () => {
  it('hears of the coin: rounds that nobody was asked about are chance, not open questions', async () => {
    const { get, sample, answer } = await system('regret', {
      method: 'pb-oel',
      options: { networks: 3 },
      ask: { strategy: 'random', perThousand: 300 },
    })
    for (let t = 0; t < 60; t++) {
      const { assessment, asked, level } = await sample(3 * Math.sin(t))
      if (asked) await answer(assessment, level === (Math.sin(t) > 0 ? 1 : 0) ? 'confirm' : 'reject')
    }
    const { terms, samples, confidence, value, window } = (await get('/guarantee')).regretWithConfidence
    expect(samples).toBe(60)
    expect(terms.open).toBe(0)
    expect(terms.chance).toBeGreaterThan(0)
    expect(confidence).toBe(0.95)
    expect(value).toBeLessThanOrEqual(1)
    expect(window.samples).toBe(60)
    expect(await metric('pb_oel_regret_bound_ratio', 'regret')).toBeCloseTo(value, 10)
  })
})

describe('a fall of accuracy', () => {
  it('is judged in blocks of the length that the system says', async () => {
    const { get, sample, answer, teach } = await system('blocks', {
      promises: { target: 0.9, falseAlarmEvery: 200, block: 50 },
    })
    await teach(60, 0)
    let rejected = 0
    while ((await get()).accuracyAlarm.status === 'normal' && rejected < 200) {
      await answer((await sample()).assessment, 'reject')
      rejected++
    }
    expect((60 + rejected) % 50).toBe(0)
    expect(rejected).toBeLessThanOrEqual(90)
  })

  it('is an alarm of its own in events, webhooks, MQTT and metrics, until somebody acknowledges it', async () => {
    const { url, get, sample, answer, teach } = await system('falling', {
      promises: { target: 0.9, falseAlarmEvery: 200 },
    })
    await teach(60, 0)
    expect(await get()).toMatchObject({ accuracyAlarm: { about: 'accuracy', number: 0, status: 'normal' } })
    let rejected = 0
    while ((await get()).accuracyAlarm.status === 'normal' && rejected < 60) {
      await answer((await sample()).assessment, 'reject')
      rejected++
    }
    const { accuracyAlarm, alarm } = await get()
    // Accuracy is judged in blocks of 100 samples.
    expect(rejected).toBe(40)
    expect(accuracyAlarm).toMatchObject({ number: 1, status: 'active', keptAccuracy: 0.9, level: 0 })
    expect(alarm).toMatchObject({ number: 0, status: 'normal' })
    expect(await metric('pb_oel_accuracy_alarm_status', 'falling')).toBe(3)
    expect((await get('/guarantee')).promises).toMatchObject({ falls: 1, keptAccuracy: 0.9 })
    const acknowledge = (body: object) => send(`${url}/alarm/acknowledge`, 'POST', { by: 'max', ...body })
    expect((await acknowledge({ number: 1 })).status).toBe(409)
    const { body } = await acknowledge({ number: 1, about: 'accuracy' })
    expect(body.accuracyAlarm).toMatchObject({ number: 1, status: 'normal', acknowledgedBy: 'max' })
    expect((await acknowledge({ number: 1, about: 'accuracy' })).status).toBe(409)
    const { records } = await get('/log?kinds=alarm')
    expect(records.map(({ body }: { body: object }) => body)).toMatchObject([
      { about: 'accuracy', number: 1, status: 'active', keptAccuracy: 0.9 },
      { about: 'accuracy', number: 1, status: 'normal', acknowledgedBy: 'max' },
    ])
    const posted = () => hooked.filter(({ system }) => system === 'falling')
    await expect.poll(() => posted().length).toBe(2)
    expect(posted()).toMatchObject([
      { about: 'accuracy', status: 'active', levelName: 'safe', keptAccuracy: 0.9 },
      { about: 'accuracy', status: 'normal' },
    ])
  })

  it.skipIf(!broker)('has a topic of its own, retained (needs mosquitto)', async () => {
    const client = await mqtt.connectAsync((broker as Mosquitto).url)
    const message = new Promise<Record<string, unknown>>((done) => {
      client.on('message', (_, payload) => done(JSON.parse(payload.toString())))
    })
    await client.subscribeAsync('pb-oel/falling/accuracy-alarm', { qos: 1 })
    const found = await message
    await client.endAsync()
    expect(found).toMatchObject({ system: 'falling', about: 'accuracy', number: 1 })
    expect(new Ajv({ strict: false }).validate(MQTT_PAYLOADS['accuracy-alarm'], found)).toBe(true)
  })
})

describe('a sample of none of the known levels', () => {
  const rule = { novelty: { falseAlarmEvery: 10 }, alarms: { unknown: { watch: 'novel' } } }
  const all = { from: 0, to: 1e15, kind: 'label', level: 'odd', by: 'eva' }

  /** A system with a way to tell it 70 samples: 50 to compare with, and 20 whose distances are usual. */
  async function looking(id: string, given: object) {
    const made = await system(id, given)
    const tell = async (from: number, to: number) => {
      for (let i = from; i < to; i++) await made.sample(1 + (i % 7) / 10)
      expect(await send(`${made.url}/stretches`, 'POST', all)).toMatchObject({ status: 201 })
    }
    const known = async (from = 0) => {
      await tell(from, 50)
      await tell(50, 70)
    }
    return { ...made, known }
  }

  it('is found once enough was told, comes first in the queue, is counted and raises its alarm', async () => {
    const { get, sample, change, known } = await looking('novel', rule)
    expect((await sample(1)).novelty).toEqual({ pValue: 1, novel: false })
    expect((await get()).novelty).toEqual({ samples: 0, answersMissing: 59 })
    await known(1)
    expect(await sample(1.3)).toMatchObject({ novelty: { novel: false } })
    const { assessment, novelty } = await sample(9)
    expect(novelty).toEqual({ pValue: 1 / 21, novel: true })
    await change({ queue: { freshness: 0 } })
    await sample(1.3)
    const { questions } = await get('/queue')
    expect(questions[0]).toMatchObject({ assessment, worth: 1, novelty: { novel: true } })
    expect(questions[1].worth).toBeLessThan(1)
    const { novel, novelty: counts, alarms } = await get()
    expect({ novel, counts }).toEqual({ novel: false, counts: { samples: 1, answersMissing: 0 } })
    expect(alarms.find((alarm: { about: string }) => alarm.about === 'unknown')).toMatchObject({ number: 1 })
    expect(await metric('pb_oel_novel_samples', 'novel')).toBe(1)
  })

  it('is forgotten with an excluded sample, and what was told stays known at another rate', async () => {
    const { sample, url, change, answer, known } = await looking('known', rule)
    await known()
    const { assessment } = await sample(9)
    await answer(assessment, 'label', 1)
    expect((await sample(9)).novelty.novel).toBe(false)
    const forget = { from: assessment, why: 'a test', by: 'eva' }
    expect(await send(`${url}/exclusions`, 'POST', forget)).toMatchObject({ status: 201 })
    expect((await sample(9)).novelty.novel).toBe(true)
    await change({ novelty: { falseAlarmEvery: 12 } })
    const unlike = await sample(9)
    expect(unlike.novelty.novel).toBe(true)
    expect(await send(`${url}/levels`, 'POST', { name: 'lost' })).toMatchObject({ status: 200 })
    expect(await answer(unlike.assessment, 'label', 3)).toMatchObject({ status: 200 })
    expect((await sample(9)).novelty.novel).toBe(false)
    expect((await sample(-9)).novelty.novel).toBe(true)
    await change({ alarms: { unknown: null }, novelty: null })
    expect(await sample(9)).not.toHaveProperty('novelty')
  })

  it('is asked about, label and all, whenever the budget allows it', async () => {
    const { sample, known } = await looking('asked', {
      novelty: rule.novelty,
      ask: { perThousand: 200, labelPrice: 1 },
    })
    await known()
    expect((await sample(9)).asked).toEqual({ kind: 'label', probability: 1 })
  })

  it('cannot be watched for where nobody looks', async () => {
    const given = { id: 'blind', channels: ['a'], levels: ['safe', 'unsafe'], alarms: rule.alarms }
    const { status, body } = await send(`${server.url}/v1/systems`, 'POST', given)
    expect(status).toBe(422)
    expect(body.detail).toContain('does not look for novel samples')
  })
})

it('a rule of a bridge can be tried on one message, and says what is wrong with it', async () => {
  const { url } = await system('mapped')
  const rule = { topic: 'hall/{channel}', system: 'mapped', values: { '{channel}': '/v' }, time: '/t' }
  const trial = (more: object) =>
    send(`${url}/mapping`, 'POST', { rule, topic: 'hall/a', message: '{"v":"2.5","t":1000}', ...more })
  expect((await trial({})).body).toEqual({ matches: true, system: 'mapped', values: { a: 2.5 }, unknown: [], at: 1000 })
  expect((await trial({ topic: 'hall/b' })).body.unknown).toEqual(['b'])
  expect((await trial({ topic: 'yard/a' })).body).toEqual({ matches: false })
  const wrong = await trial({ message: '{"v":"high","t":1000}' })
  expect([wrong.status, wrong.body.detail]).toEqual([400, 'message/v: expected a number, got "high"'])
  const senseless = await trial({ rule: { ...rule, system: '{plant}' } })
  expect([senseless.status, senseless.body.detail]).toEqual([400, expect.stringContaining('nothing that {plant}')])
})

describe('the log', () => {
  it.each(['chosen', 'falling', 'rules', 'side', 'novel', 'known'])(
    'of %s replays to the same promises, and so does its snapshot',
    async (id) => {
      const { stateHash } = await (await send(`${server.url}/v1/systems/${id}/state`, 'GET')).body
      expect(await replaySystem(log, id)).toMatchObject({ stateHash })
      const fold = await rebuild(log, id, { fromStart: true })
      const loaded = SystemFold.load(fold.save())
      expect(loaded.stateHash()).toBe(stateHash)
      expect(loaded.promisesReport()).toEqual(fold.promisesReport())
    },
  )

  it('from before promises were kept certifies what is known to be right', async () => {
    const store = join(temporaryFolder(), 'old.db')
    const fixture = join(import.meta.dirname, 'replay/fixtures/log-version-1.db.gz')
    writeFileSync(store, gunzipSync(readFileSync(fixture)))
    const old = await SqliteLogReader.openReader(store)
    for (const id of (await old.systems()).filter((name) => name !== SERVER_LOG)) {
      const { tally, model } = await rebuild(old, id)
      expect(model.promises).toBeUndefined()
      const { samples, certified, moreChecks } = await certifySystem(old, id, { target: 0.999 })
      expect(samples).toBe(tally.samples)
      expect(certified).toBeCloseTo(tally.right / tally.samples, 12)
      expect(moreChecks).toBe(null)
    }
    await old.close()
  })

  it('of a system from before promises were kept makes none and takes none', async () => {
    const { configuration } = await rebuild(log, 'open')
    const { promises: _, edition: __, ...first } = configuration
    const fold = new SystemFold('old', first)
    fold.apply({ kind: 'sample', body: { values: [1], by: 'x' } }, 1)
    expect(fold.recent.latest).not.toHaveProperty('safeSide')
    expect(fold.model.trained).toBe(true)
    expect(fold.promisesReport()).toBeUndefined()
    const configure = (change: object) => fold.apply({ kind: 'configuration', body: { change, by: 'x' } }, 2)
    expect(() => configure({ promises: { target: 0.9 } })).toThrow('before promises were kept')
    expect(() => configure({ alarm: { watch: 'safe-side' } })).toThrow('before promises were kept')
    expect(() => fold.apply({ kind: 'acknowledgement', body: { about: 'accuracy', number: 1, by: 'x' } }, 2)).toThrow(
      'before promises were kept',
    )
  })
})
