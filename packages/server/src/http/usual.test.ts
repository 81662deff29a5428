import { beforeAll, describe, expect, it } from 'vitest'
import { memoryApp } from '../testing/memory-app.ts'
import { answerList } from './list.ts'
import { isLines } from './ndjson.ts'

let now = 1_000_000_000
const { app, service, log } = await memoryApp({}, () => now, undefined, {
  ...{ channels: ['a', 'b'], levels: ['safe', 'unsafe'], method: 'majority' },
})
const headers = { host: 'localhost' }
const ask = async (path: string, method: 'GET' | 'POST' | 'DELETE' = 'GET', payload?: object) =>
  app.inject({ method, url: `/v1/systems${path}`, headers, ...(payload && { payload }) })
const get = async (path: string) => (await ask(`/plant${path}`)).json()
const SAMPLES = 620

beforeAll(async () => {
  for (let i = 0; i < SAMPLES; i++) {
    now += 1_000
    if (i === SAMPLES / 2) await service.get('plant').saveSnapshot()
    await service.sample('plant', { values: [i, 1] }, 'test')
  }
})

describe('what a request does not say', () => {
  it('is 20 questions, 100 records, 500 samples, 600 points of a chart, and a minute for a claim', async () => {
    expect((await get('/queue')).questions).toHaveLength(20)
    expect((await get('/log')).records).toHaveLength(100)
    const { samples, thinned } = await get('/samples')
    expect([samples.length <= 500, samples.length > 250, thinned]).toEqual([true, true, true])
    const { folded, times } = await get('/chart')
    expect([folded > 1, times.length <= 600]).toEqual([true, true])
    expect((await get('/chart?points=620')).folded).toBe(1)
    const [{ assessment }] = (await get('/queue')).questions
    const { until } = (await ask(`/plant/queue/${assessment}/claim`, 'POST')).json()
    expect(until - now).toBe(60_000)
  })

  it('is the name of the system where it shall be deleted: nothing is, with another name or none', async () => {
    await service.create('gone', { channels: ['a'], levels: ['0', '1'] }, 'test')
    for (const query of ['', '?confirm=', '?confirm=plant']) {
      expect([query, (await ask(`/gone${query}`, 'DELETE')).statusCode]).toEqual([query, 400])
    }
    expect((await ask('/gone', 'GET')).statusCode).toBe(200)
    expect((await ask('/gone?confirm=gone', 'DELETE')).json()).toMatchObject({ system: 'gone' })
    expect((await ask('/gone', 'GET')).statusCode).toBe(404)
  })

  it('is what is not archived: what is has a list of its own', async () => {
    await service.create('old', { channels: ['a'], levels: ['0', '1'] }, 'test')
    await service.configure('old', { archived: true }, 'test')
    const list = async (query: string) => (await ask(query)).json().systems.map(({ id }: { id: string }) => id)
    expect([await list(''), await list('?archived=false'), await list('?archived=true')]).toEqual([
      ...[['plant'], ['plant'], ['old']],
    ])
  })
})

describe('the past', () => {
  it('that compaction has removed is 410, what is left is there, and what has not been is 404', async () => {
    // Open questions keep their samples.
    for (let assessment = 0; assessment < SAMPLES; assessment++) {
      await service.feedback('plant', { assessment, kind: 'confirm' }, 'test').catch(() => {})
    }
    const { removedThrough } = (await ask('/plant/compact', 'POST', { keep: 100 })).json()
    expect(removedThrough).toBeGreaterThan(1)
    const status = async (at: number) => (await ask(`/plant/state?at=${at}`)).statusCode
    const { last } = (await log.extent('plant')) as { last: number }
    expect([await status(1), await status(removedThrough), await status(removedThrough + 1)]).toEqual([410, 410, 200])
    expect([await status(0), await status(last), await status(last + 1)]).toEqual([404, 200, 404])
  })
})

it('a list has up to 10,000 entries', async () => {
  const entries = Array.from({ length: 10_000 }, (_, i) => i)
  expect(await answerList(entries, async (entry) => entry)).toEqual(entries)
  expect(() => answerList([...entries, 0], async (entry) => entry)).toThrow('1 to 10000')
})

it.each([
  ['application/x-ndjson', true],
  ['Application/X-NDJSON; charset=utf-8', true],
  ['application/json', false],
  [undefined, false],
])('a body of type %s is lines: %s', (type, lines) => {
  expect(isLines({ headers: { 'content-type': type } } as never)).toBe(lines)
})

describe('readiness', () => {
  it('is lost with one system that takes no events, and told by its name for a while', async () => {
    const one = await memoryApp()
    const ready = () => one.app.inject({ url: '/readyz', headers })
    expect((await ready()).statusCode).toBe(200)
    one.log.refuses = 'the disk is full'
    await one.service.sample('plant', { values: [1, 2] }, 'test').catch(() => {})
    const refused = await ready()
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1'])
    expect(refused.json().detail).toContain('systems that take no events: 1')
    expect((await one.app.inject({ url: '/healthz', headers })).statusCode).toBe(200)
    await one.service.close()
  })
})
