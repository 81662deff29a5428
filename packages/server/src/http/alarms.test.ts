import type { AlarmHistory, AlarmList, AlarmOfSystem } from '@pb-oel/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { memoryApp } from '../testing/memory-app.ts'

// No silence is long enough to be an alarm of its own: some time passes here for one system after the other.
const PLANT = {
  ...{ channels: ['a'], levels: ['safe', 'unsafe'], method: 'majority', title: 'Plant', alarm: { level: 1 } },
  stale: { after: 1e6 },
}
let now = 1_000_000
const { app, service, tokens } = await memoryApp({}, () => now, undefined, PLANT)

async function call<T>(method: 'GET' | 'POST', url: string, payload?: object, token?: string) {
  const headers = { host: 'localhost', ...(token && { authorization: `Bearer ${token}` }) }
  const reply = await app.inject({ method, url, headers, payload })
  return { status: reply.statusCode, body: reply.json() as T & { detail: string } }
}
const list = async (query = '') => (await call<AlarmList>('GET', `/v1/alarms${query}`)).body
const history = async (query = '') => (await call<AlarmHistory>('GET', `/v1/alarms/history${query}`)).body
const names = (alarms: readonly AlarmOfSystem[]) => alarms.map(({ system, about }) => `${system}/${about}`)

/** Tells a system its level until it says so itself. */
async function teach(system: string, level: number, times = 12) {
  for (let i = 0; i < times; i++) {
    now += 1_000
    const { assessment } = await service.sample(system, { values: [1] }, 'test')
    await service.feedback(system, { assessment, kind: 'label', level }, 'test')
  }
}

beforeAll(async () => {
  const range = { high: { watch: 'range' as const, channel: 'a', max: 0, priority: 'critical' as const } }
  await service.create('pump', { ...PLANT, title: 'Pump', alarms: { level: { priority: 'low' }, ...range } }, 'test')
  await teach('plant', 1)
  await teach('pump', 1)
})

describe('alarms of all systems', () => {
  it('are listed most urgent first, with the rule in words, by what is asked for', async () => {
    const { alarms, figures } = await list()
    expect(names(alarms)).toEqual(['pump/high', 'plant/level', 'pump/level'])
    expect(alarms[1]).toMatchObject({ title: 'Plant', levelName: 'unsafe', rule: 'unsafe', calls: true, number: 1 })
    expect(figures).toMatchObject({ lastTenMinutes: 3, standing: 3, longestStanding: { system: 'plant' } })
    expect(names((await list('?priority=high')).alarms)).toEqual(['pump/high', 'plant/level'])
    expect(names((await list('?system=pump&about=level')).alarms)).toEqual(['pump/level'])
    expect((await list('?show=all')).alarms.length).toBe(7)
    expect((await list('?show=hidden')).alarms).toEqual([])
  })

  it('are acknowledged with a comment, shelved and put out of service; each change is history', async () => {
    const acknowledged = { number: 1, comment: 'pump is being opened', by: 'eva' }
    expect((await call('POST', '/v1/systems/plant/alarm/acknowledge', acknowledged)).status).toBe(200)
    const shelf = { about: 'high', seconds: 60, comment: 'known' }
    const { body } = await call<{ alarms: AlarmOfSystem[] }>('POST', '/v1/systems/pump/alarm/shelve', shelf)
    expect(body.alarms.find(({ about }) => about === 'high')).toMatchObject({ calls: false, comment: 'known' })
    expect(names((await list('?show=hidden')).alarms)).toEqual(['pump/high'])
    expect(names((await list('?show=calling')).alarms)).toEqual(['pump/level'])
    const { changes } = await history('?limit=2')
    expect(changes).toMatchObject([
      { system: 'pump', about: 'high', cause: 'shelved', rule: 'a above 0' },
      { system: 'plant', status: 'acknowledged', acknowledgedBy: 'eva', comment: 'pump is being opened' },
    ])
  })

  it('of the past come a page at a time, without a gap, also those that only the log has', async () => {
    const all = (await history('?limit=1000')).changes.map(({ system, sequence }) => `${system} ${sequence}`)
    expect(all.length).toBe(5)
    const paged: string[] = []
    for (let to: number | undefined; ; ) {
      const page: AlarmHistory = await history(`?limit=2${to === undefined ? '' : `&to=${to}`}`)
      paged.push(...page.changes.map(({ system, sequence }) => `${system} ${sequence}`))
      if (page.next === undefined) break
      to = page.next
    }
    expect(new Set(paged)).toEqual(new Set(all))
    expect((await history('?about=high')).changes.map(({ status }) => status)).toEqual(['active', 'active'])
  })

  it('of one moment stay together in the past, however few a page may have, and its ends are what they say', async () => {
    const { changes } = await history()
    const { time } = changes[0]
    const after = async (query: string) =>
      (await history(query)).changes.filter((change) => change.time === time).length
    const together = await after('')
    expect([await after(`?from=${time}`), await after(`?from=${time + 1}`), await after(`?to=${time}`)]).toEqual([
      ...[together, 0, 0],
    ])
    expect(await after(`?to=${time + 1}&limit=1`)).toBe(together)
  })

  it('taken out of service are hidden, and those of archived systems are not listed', async () => {
    const about = { about: 'high' }
    expect((await call('POST', '/v1/systems/pump/alarm/out-of-service', about)).status).toBe(200)
    // Its time on the shelf is over.
    now += 60_000
    expect(names((await list('?show=hidden')).alarms)).toEqual(['pump/high'])
    expect((await call('POST', '/v1/systems/pump/alarm/in-service', about)).status).toBe(200)
    expect(names((await list('?show=hidden')).alarms)).toEqual([])
    await service.configure('plant', { archived: true }, 'test')
    expect(new Set((await list('?show=all')).alarms.map(({ system }) => system))).toEqual(new Set(['pump']))
    await service.configure('plant', { archived: false }, 'test')
  })

  it('of one priority come in the order of what they need, then the older ones first', async () => {
    const order = async () => names((await list('?show=calling&about=level&priority=high')).alarms)
    for (const id of ['over', 'first', 'second']) await service.create(id, PLANT, 'test')
    await teach('over', 1)
    await teach('over', 0, 30)
    await teach('first', 1)
    await teach('second', 1)
    expect(await order()).toEqual(['first/level', 'second/level', 'over/level'])
    for (const id of ['over', 'first', 'second']) await service.remove(id, 'test')
  })

  it('a wrong request is a problem that says what would be right', async () => {
    const shelve = (body: object) => call('POST', '/v1/systems/pump/alarm/shelve', body)
    expect(await shelve({ about: 'level', seconds: 90_000 })).toMatchObject({
      status: 400,
      body: { detail: 'seconds should be at most 28800 (shelveAtMost of the rule), not 90000' },
    })
    expect((await shelve({ about: 'none' })).body.detail).toBe(
      'there is no rule none; the rules of this system are level, stale, accuracy, high',
    )
    expect((await call('POST', '/v1/systems/pump/alarm/reset', {})).body.detail).toBe(
      'alarm 1 is not latched: it is active',
    )
    expect((await call('GET', '/v1/alarms?show=everything')).status).toBe(400)
  })

  it('are those that a caller may see, and no others', async () => {
    await tokens.create({ name: 'ada', roles: ['admin'], systems: ['*'] }, 'test', 0)
    const { text } = await tokens.create({ name: 'guest', roles: ['viewer'], systems: ['pump'] }, 'test', 0)
    const seen = await call<AlarmList>('GET', '/v1/alarms', undefined, text)
    expect(new Set(seen.body.alarms.map(({ system }) => system))).toEqual(new Set(['pump']))
    expect(seen.body.figures.lastDay).toBe(2)
    const past = await call<AlarmHistory>('GET', '/v1/alarms/history', undefined, text)
    expect(new Set(past.body.changes.map(({ system }) => system))).toEqual(new Set(['pump']))
  })
})
