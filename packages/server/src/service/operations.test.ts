import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SqliteLogReader } from '../log/sqlite-log.ts'
import { replaySystem } from '../replay/replay.ts'
import { serve } from '../serve.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { localServer, PLANT } from '../testing/local-server.ts'
import { send } from '../testing/requests.ts'

const store = join(temporaryFolder(), 'operations.db')
const server = await localServer({ store, systems: [] })
const url = (id: string, path = '') => `${server.url}/v1/systems/${id}${path}`
const post = (id: string, path: string, body?: unknown) => send(url(id, path), 'POST', body)
const patch = (id: string, body: unknown) => send(url(id), 'PATCH', body)
const get = async (id: string, path = '') => (await send(url(id, path), 'GET')).body

/** A system with some samples, every second of them answered. */
async function make(id: string, samples = 40): Promise<void> {
  await send(`${server.url}/v1/systems`, 'POST', { ...PLANT, id })
  await feed(id, 0, samples)
}

async function feed(id: string, from: number, to: number, extra: number[] = []): Promise<void> {
  for (let i = from; i < to; i++) {
    const { body } = await post(id, '/samples', { values: [i % 3, (i % 3) * 2 + (i % 7) / 10, ...extra] })
    if (i % 2) await post(id, '/feedback', { assessment: body.assessment, kind: 'label', level: i % 3 })
  }
}

/** Replays a log from its first record and compares with the state that is served. */
async function replayed(id: string): Promise<void> {
  const { stateHash } = await get(id, '/state')
  const log = await SqliteLogReader.openReader(store)
  const report = await replaySystem(log, id)
  await log.close()
  expect(report.difference).toBeUndefined()
  expect(report.stateHash).toBe(stateHash)
}

describe('names', () => {
  it('of levels change without the model, and stand in everything told afterwards', async () => {
    await make('renamed')
    const before = await get('renamed')
    expect((await patch('renamed', { levels: ['ok', 'odd', 'bad'], title: 'Boiler 3' })).status).toBe(200)
    const after = await get('renamed')
    expect([after.title, after.levels, after.weights]).toEqual(['Boiler 3', ['ok', 'odd', 'bad'], before.weights])
    const { body } = await post('renamed', '/samples', { values: [1, 2] })
    expect(body.levelName).toBe(['ok', 'odd', 'bad'][body.level])
    const { assessment } = body
    expect((await post('renamed', '/feedback', { assessment, kind: 'label', level: 'bad' })).status).toBe(200)
    for (const levels of [
      ['a', 'b'],
      ['a', 'b', 'b'],
    ]) {
      expect((await patch('renamed', { levels })).body).toMatchObject({ status: 422, title: 'Invalid option' })
    }
    await replayed('renamed')
  })

  it('of levels stand in alarm rules and in the samples of a warm-up, wherever an index may', async () => {
    const warmUp = (levels: (string | number)[]) => levels.map((level, i) => ({ x: [i, 2 * i], level }))
    const given = (id: string, alarm: object, levels: (string | number)[]) => {
      const options = { ...PLANT.options, warmUp: warmUp(levels) }
      return send(`${server.url}/v1/systems`, 'POST', { ...PLANT, id, alarm, options })
    }
    const named = await given('named', { level: 'unsafe', clearBelow: 'odd' }, ['safe', 'unsafe', 'odd', 'safe'])
    expect(named.body.configuration).toMatchObject({ alarm: { level: 2, clearBelow: 1 } })
    await given('indexed', { level: 2, clearBelow: 1 }, [0, 2, 1, 0])
    for (const id of ['named', 'indexed']) await feed(id, 0, 20)
    expect((await get('named')).configuration.options).toEqual((await get('indexed')).configuration.options)
    expect((await get('named')).weights).toEqual((await get('indexed')).weights)
    const renamed = await patch('named', { levels: ['ok', 'odd', 'bad'], alarm: { level: 'bad', clearBelow: 'bad' } })
    expect(renamed.body.configuration.alarm).toMatchObject({ level: 2, clearBelow: 2 })
    const rule = { watch: 'likely', level: 'bad', clearBelow: 'odd' }
    const ruled = await patch('named', { alarms: { late: rule } })
    expect(ruled.body.configuration.alarms.late).toEqual({ watch: 'likely', level: 2, clearBelow: 1 })
    await replayed('named')
    const { stateHash } = await get('named', '/state')
    for (const alarm of [{ level: 'unsafe' }, { level: 'ok' }, { level: 0 }, { clearBelow: 'ok' }]) {
      expect((await patch('named', { alarm })).body, JSON.stringify(alarm)).toMatchObject({
        ...{ status: 422, title: 'Invalid option' },
        detail: expect.stringContaining(Object.keys(alarm)[0]),
      })
    }
    for (const level of ['unsafe', 'ok', 0]) {
      const { body } = await patch('named', { alarms: { late: { watch: 'likely', level } } })
      expect(body).toMatchObject({ status: 422, detail: expect.stringContaining('alarms.late.level') })
    }
    expect((await get('named', '/state')).stateHash).toBe(stateHash)
    const { body } = await given('refused', {}, ['safe', 'nowhere'])
    expect(body).toMatchObject({ status: 422, detail: expect.stringMatching(/warmUp\[1\].level.*safe, odd, unsafe/) })
  })

  it('of units belong to channels, and null removes one', async () => {
    await make('units', 2)
    await patch('units', { units: { pressure: 'bar', temperature: '°C' } })
    const { configuration } = (await patch('units', { units: { pressure: null } })).body
    expect(configuration.units).toEqual({ temperature: '°C' })
    expect((await patch('units', { units: { depth: 'm' } })).status).toBe(422)
    await replayed('units')
  })
})

describe('late answers', () => {
  it('are taken as long as the system says, which can change, and then refused with the limit', async () => {
    await make('late', 30)
    const answer = (assessment: number) => post('late', '/feedback', { assessment, kind: 'confirm' })
    expect((await answer(0)).status).toBe(200)
    expect((await patch('late', { late: { samples: 10 } })).status).toBe(200)
    expect((await answer(20)).status).toBe(200)
    expect((await answer(19)).status).toBe(410)
    expect((await answer(18)).body).toMatchObject({
      status: 410,
      title: 'Too late',
      detail: 'assessment 18 was followed by 11 others, and this system takes answers to the latest 10 (late.samples)',
    })
    const asked = (await get('late', '/queue')).questions.map(({ assessment }: { assessment: number }) => assessment)
    expect(asked.filter((assessment: number) => assessment < 20)).toEqual([])
    await patch('late', { late: { samples: 64, seconds: 0.001 } })
    await new Promise((done) => setTimeout(done, 20))
    expect((await answer(28)).body.detail).toContain('late.seconds')
    await patch('late', { late: { seconds: null } })
    expect((await answer(28)).status).toBe(200)
    expect((await patch('late', { late: { samples: 65 } })).body.detail).toContain('[1, 64]')
    await replayed('late')
  })

  it('are kept for more samples than the library keeps, unless memory is short or a system says how many', async () => {
    const pending = async (id: string, more: object) => {
      const { body } = await send(`${server.url}/v1/systems`, 'POST', {
        id,
        channels: ['a'],
        levels: ['0', '1'],
        ...more,
      })
      return body.configuration.options.pending
    }
    expect(await pending('small', {})).toBe(2_048)
    expect(await pending('asked', { late: { samples: 20_000 } })).toBe(20_000)
    const channels = Array.from({ length: 2_000 }, (_, i) => `c${i}`)
    expect(await pending('wide', { channels, method: 'majority' })).toBeUndefined()
  })
})

describe('an archived system', () => {
  it('is read but not written, out of the list, and goes on when it is restored', async () => {
    await make('old')
    expect((await patch('old', { archived: true })).status).toBe(200)
    const ids = async (query = '') =>
      (await send(`${server.url}/v1/systems${query}`, 'GET')).body.systems.map(({ id }: { id: string }) => id)
    expect(await ids()).not.toContain('old')
    expect(await ids('?archived=true')).toEqual(['old'])
    expect((await get('old')).archived).toBe(true)
    expect((await send(url('old', '/export'), 'GET')).status).toBe(200)
    for (const refused of [
      await post('old', '/samples', { values: [1, 2] }),
      await post('old', '/feedback', { assessment: 38, kind: 'confirm' }),
      await patch('old', { title: 'x' }),
    ]) {
      expect(refused.body).toMatchObject({ status: 409, detail: expect.stringContaining('archived') })
    }
    expect((await patch('old', { archived: false })).body.archived).toBeUndefined()
    expect((await post('old', '/samples', { values: [1, 2] })).status).toBe(200)
    expect(await ids()).toContain('old')
    await replayed('old')
  })
})

describe('a clone', () => {
  it('has the configuration and begins fresh, or has everything that was learned and goes on alike', async () => {
    await make('original', 60)
    await patch('original', { units: { pressure: 'bar' } })
    const fresh = await post('original', '/clone', { id: 'fresh', title: 'Fresh' })
    expect(fresh.status).toBe(201)
    expect(fresh.body).toMatchObject({ title: 'Fresh', samples: 0, configuration: { units: { pressure: 'bar' } } })
    const learned = await post('original', '/clone', { id: 'learned', state: true })
    const original = await get('original')
    expect(learned.body).toMatchObject({ samples: 60, weights: original.weights, openQuestions: 0 })
    const next = async (id: string) => {
      const { time: _t, sequence: _s, ...rest } = (await post(id, '/samples', { values: [2, 4.1] })).body
      return rest
    }
    for (let i = 0; i < 5; i++) expect(await next('learned')).toEqual(await next('original'))
    await feed('learned', 0, 10)
    await replayed('learned')
    await replayed('fresh')
    expect((await post('original', '/clone', { id: 'learned' })).status).toBe(409)
    expect((await get('learned', '/log?limit=1')).records[0].body.from).toMatchObject({ system: 'original' })
  })
})

describe('a channel that is added', () => {
  it('to a clone before its first sample leaves the numbers of assessments as they go on', async () => {
    await make('before', 60)
    await post('before', '/clone', { id: 'widened', state: true })
    expect((await post('widened', '/channels', { name: 'depth', usual: 5 })).status).toBe(200)
    await feed('widened', 60, 64, [5])
    expect(await get('widened')).toMatchObject({ samples: 64 })
    expect(
      (await get('widened', '/samples?limit=10')).samples.map((row: { assessment: number }) => row.assessment),
    ).toEqual([60, 61, 62, 63])
    expect((await get('widened', '/samples/61')).answer).toMatchObject({ kind: 'label' })
    await replayed('widened')
  })

  it('widens the model in a way that replays bit for bit, and closes the questions of the former one', async () => {
    await make('wider', 60)
    const added = await post('wider', '/channels', { name: 'depth', usual: 5, unit: 'm', range: { min: 0 } })
    expect(added.body.configuration).toMatchObject({
      channels: ['pressure', 'temperature', 'depth'],
      units: { depth: 'm' },
    })
    expect(added.body.configuration.options.warmUp.length).toBe(30)
    expect(added.body).toMatchObject({ trained: true, openQuestions: 0 })
    expect((await post('wider', '/samples', { values: [1, 2] })).status).toBe(422)
    const { body } = await post('wider', '/samples', { values: { pressure: 1, temperature: 2, depth: 6 } })
    expect(body.assessment).toBe(60)
    expect((await post('wider', '/feedback', { assessment: 59, kind: 'confirm' })).status).toBeGreaterThanOrEqual(404)
    expect((await post('wider', '/feedback', { assessment: 60, kind: 'confirm' })).status).toBe(200)
    await feed('wider', 61, 90, [5])
    expect((await post('wider', '/channels', { name: 'depth', usual: 1 })).status).toBe(422)
    await replayed('wider')
    const rows = (await send(url('wider', '/export'), 'GET')).body.trim().split('\n')
    expect(rows[0]).toBe('time,pressure,temperature,depth,level')
    expect([rows[1].split(',')[3], rows[61].split(',')[3]]).toEqual(['', '6'])
    expect((await get('wider', '/samples/10')).values).toHaveLength(2)
  })
})

describe('a level that is added', () => {
  it('leaves what was learned and asked, is learned from answers, and replays bit for bit', async () => {
    await make('rising', 20)
    await patch('rising', { novelty: { falseAlarmEvery: 20 } })
    await feed('rising', 20, 60)
    const before = await get('rising')
    const added = await post('rising', '/levels', { name: 'lost' })
    expect(added.body.configuration.levels).toEqual([...PLANT.levels, 'lost'])
    const { samples, accuracy, openQuestions, trained } = before
    expect(added.body).toMatchObject({ samples, accuracy, openQuestions, trained })
    expect(openQuestions).toBeGreaterThan(0)
    const [question] = (await get('rising', '/queue')).questions
    const answered = await post('rising', '/feedback', {
      assessment: question.assessment,
      kind: 'label',
      level: 'lost',
    })
    expect(answered.status).toBe(200)
    for (let i = 0; i < 40; i++) {
      const { body } = await post('rising', '/samples', { values: [400 + (i % 3), -400] })
      await post('rising', '/feedback', { assessment: body.assessment, kind: 'label', level: 'lost' })
    }
    expect((await post('rising', '/samples', { values: [401, -400] })).body.likely).toBe(PLANT.levels.length)
    expect((await post('rising', '/levels', { name: 'lost' })).status).toBe(422)
    await replayed('rising')
    const whatIf = await post('rising', '/what-if', { method: 'arf' })
    expect([whatIf.status, whatIf.body.samples]).toEqual([200, 101])
    const rows = (await send(url('rising', '/export'), 'GET')).body.trim().split('\n')
    expect(rows[70]).toMatch(/,lost$/)
  })

  it('is refused with the reason where the method cannot take it, and nothing has changed', async () => {
    await send(`${server.url}/v1/systems`, 'POST', {
      ...PLANT,
      id: 'fixed',
      method: 'oadac2',
      options: {},
      levels: ['ok', 'bad'],
    })
    const refused = await post('fixed', '/levels', { name: 'worse' })
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining('pb-oel-plus')])
    expect((await get('fixed')).configuration.levels).toEqual(['ok', 'bad'])
  })
})

describe('a deletion', () => {
  it('wants the name again, removes everything, says so in the log of the server, and the name is free', async () => {
    await make('gone', 10)
    const asked = await send(url('gone'), 'DELETE')
    expect(asked.body).toMatchObject({ status: 400, detail: expect.stringContaining('confirm=gone') })
    expect((await send(url('gone', '?confirm=other'), 'DELETE')).status).toBe(400)
    expect((await get('gone')).samples).toBe(10)
    const { last } = await get('gone', '/log?limit=1')
    const done = await send(url('gone', '?confirm=gone'), 'DELETE')
    expect([done.status, done.body.system]).toEqual([200, 'gone'])
    expect(done.body.records).toBeGreaterThanOrEqual(last)
    expect((await send(url('gone'), 'GET')).status).toBe(404)
    const log = await SqliteLogReader.openReader(store)
    expect([await log.systems(), await log.read('gone')]).toEqual([expect.not.arrayContaining(['gone']), []])
    const [record] = await log.read('$server', { kinds: ['deletion'] })
    expect(JSON.parse(record.body)).toMatchObject({ system: 'gone', first: 1, by: 'local' })
    await log.close()
    await make('gone', 2)
    expect((await get('gone')).samples).toBe(2)
    await replayed('gone')
  })

  it('lasts over a restart, and nothing seems to be lost', async () => {
    const file = join(temporaryFolder(), 'deleted.db')
    const system = { ...PLANT, id: 'a' }
    const first = await serve({ store: file, port: 0, logLevel: 'silent', systems: [system, { ...PLANT, id: 'b' }] })
    await first.recovered
    for (let i = 0; i < 20; i++) await first.service.sample('a', { values: [i, i] }, 'test')
    await first.service.remove('a', 'test')
    await first.stop()
    const second = await serve({ store: file, port: 0, logLevel: 'silent' })
    await second.recovered
    expect(second.service.list().map(({ id }) => id)).toEqual(['b'])
    expect(await (second.service.log as unknown as { lost(): Promise<number> }).lost()).toBe(0)
    await second.stop()
  })
})
