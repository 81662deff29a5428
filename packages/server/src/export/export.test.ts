import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import { SqliteLogReader } from '../log/sqlite-log.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { localServer, PLANT } from '../testing/local-server.ts'
import { send } from '../testing/requests.ts'
import { exportStored } from './export-stored.ts'

const store = join(temporaryFolder(), 'export.db')
const server = await localServer({ store, systems: [PLANT, { ...PLANT, id: 'odd', channels: ['time', 'a,"b'] }] })
const base = `${server.url}/v1/systems/plant`
const START = Date.UTC(2026, 10, 15)

/** 200 samples, a second apart by the sensor's clock; every third is answered, some only much later or twice. */
async function fill(): Promise<void> {
  const late: (() => Promise<unknown>)[] = []
  for (let i = 0; i < 200; i++) {
    const sample = { values: [i / 10, 100 - i], at: new Date(START + i * 1000).toISOString() }
    const { body } = await send(`${base}/samples`, 'POST', sample)
    const answer = (given: object) => send(`${base}/feedback`, 'POST', { assessment: body.assessment, ...given })
    if (i % 3 === 0) late.push(() => answer({ kind: 'label', level: PLANT.levels[i % 2] }))
    if (i % 30 === 0) late.push(() => answer({ kind: 'label', level: 2, correction: true }))
    // Fewer than 64 samples later, which is what this system keeps.
    if (i % 40 === 39) for (const send of late.splice(0)) await send()
  }
}
await fill()

/** What the rows must say. */
const expected = Array.from({ length: 200 }, (_, i) => ({
  time: new Date(START + i * 1000).toISOString(),
  pressure: i / 10,
  temperature: 100 - i,
  level: i % 3 ? null : i % 30 === 0 ? 'unsafe' : PLANT.levels[i % 2],
}))

describe('an export', () => {
  it('as NDJSON has time, channels by name and the true level, however late the answer came', async () => {
    const { status, type, body } = await send(`${base}/export?format=ndjson`, 'GET')
    expect([status, type]).toEqual([200, 'application/x-ndjson'])
    const rows = body
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line))
    expect(rows).toEqual(expected)
  })

  it('as CSV says the same, quotes what must be quoted and tells channels from its own columns', async () => {
    const { body } = await send(`${base}/export`, 'GET')
    const [head, ...lines] = body.trim().split('\n')
    expect(head).toBe('time,pressure,temperature,level')
    expect(lines).toEqual(
      expected.map(({ time, pressure, temperature, level }) => `${time},${pressure},${temperature},${level ?? ''}`),
    )
    await send(`${server.url}/v1/systems/odd/samples`, 'POST', { values: [1, 2] })
    const odd = await send(`${server.url}/v1/systems/odd/export`, 'GET')
    expect(odd.body.split('\n')[0]).toBe('time,time (channel),"a,""b",level')
  })

  it('as Parquet says the same with types', async () => {
    const response = await fetch(`${base}/export?format=parquet`)
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="plant.parquet"')
    const rows = await parquetReadObjects({ file: await response.arrayBuffer() })
    expect(rows.map(({ time, ...row }) => ({ time: (time as Date).toISOString(), ...row }))).toEqual(expected)
  })

  it('of a time has what arrived then, with answers that came afterwards', async () => {
    const { samples } = (await send(`${base}/samples?limit=5000`, 'GET')).body
    const [from, to] = [samples[60].time, samples[120].time]
    const within = samples.filter(({ time }: { time: number }) => time >= from && time < to)
    const query = `format=ndjson&detail=true&from=${new Date(from).toISOString()}&to=${to}`
    const { body } = await send(`${base}/export?${query}`, 'GET')
    const rows = body
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line))
    expect(rows.map(({ assessment }: { assessment: number }) => assessment)).toEqual(
      within.map(({ assessment }: { assessment: number }) => assessment),
    )
    for (const row of rows) {
      const { level } = expected[row.assessment]
      expect([row.level, row.answer, row.assessed]).toEqual([level, level && 'label', expect.any(String)])
    }
  })

  it('of a store is the same, byte for byte, as that of its server', async () => {
    const log = await SqliteLogReader.openReader(store)
    for (const format of ['csv', 'ndjson', 'parquet']) {
      const pieces = []
      for await (const piece of exportStored(log, { system: 'plant', format, detail: true })) pieces.push(piece)
      const served = await (await fetch(`${base}/export?format=${format}&detail=true`)).arrayBuffer()
      expect(Buffer.concat(pieces).equals(Buffer.from(served)), format).toBe(true)
    }
    await log.close()
  })

  it('marks excluded samples, and without marks gives them no level', async () => {
    const id = 'forgetful'
    await send(`${server.url}/v1/systems`, 'POST', { ...PLANT, id })
    const address = `${server.url}/v1/systems/${id}`
    for (let assessment = 0; assessment < 6; assessment++) {
      await send(`${address}/samples`, 'POST', { values: [assessment, 1] })
      await send(`${address}/feedback`, 'POST', { assessment, kind: 'label', level: 'odd' })
    }
    expect((await send(`${address}/exclusions`, 'POST', { from: 2, to: 3, why: 'a broken cable' })).status).toBe(201)
    const rows = async (query: string) => {
      const { body } = await send(`${address}/export?format=ndjson${query}`, 'GET')
      return body
        .trim()
        .split('\n')
        .map((line: string) => JSON.parse(line))
    }
    const plain = await rows('')
    expect(plain.map(({ level }: { level: string }) => level)).toEqual(['odd', 'odd', null, null, 'odd', 'odd'])
    expect(Object.keys(plain[0])).toEqual(['time', 'pressure', 'temperature', 'level'])
    const detailed = await rows('&detail=true')
    expect(detailed.map(({ excluded, level }: { excluded: boolean; level: string }) => [excluded, level])).toEqual(
      [false, false, true, true, false, false].map((excluded) => [excluded, 'odd']),
    )
  })

  it('of nothing is an empty file; what cannot be is a problem', async () => {
    expect((await send(`${base}/export?from=${Date.now() + 1e6}`, 'GET')).body).toBe(
      'time,pressure,temperature,level\n',
    )
    expect((await send(`${base}/export?format=xml`, 'GET')).status).toBe(400)
    expect((await send(`${base}/export?from=2026-02-30T00:00:00Z`, 'GET')).body).toMatchObject({ status: 400 })
    expect((await send(`${server.url}/v1/systems/none/export`, 'GET')).status).toBe(404)
    expect((await fetch(`${base}/export`, { method: 'HEAD' })).headers.get('content-type')).toContain('text/csv')
  })

  it('that nobody reads any more ends, and makes room for others', async () => {
    for (let i = 0; i < 6; i++) {
      const gone = new AbortController()
      const response = await fetch(`${base}/export?format=ndjson`, { signal: gone.signal })
      expect(response.status).toBe(200)
      gone.abort()
      await response.text().catch(() => {})
    }
    await expect.poll(async () => (await fetch(`${base}/export`)).status).toBe(200)
  })
})
