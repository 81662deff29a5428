import { gzipSync } from 'node:zlib'
import { HttpError, InfluxDB, Point } from '@influxdata/influxdb-client'
import { describe, expect, it } from 'vitest'
import { localServer, PLANT } from '../../testing/local-server.ts'

const server = await localServer({ systems: [PLANT, { ...PLANT, id: 'other' }] })
const { url } = server
const detail = async (system = 'plant') => (await fetch(`${url}/v1/systems/${system}`)).json()
const samplesOf = async (system: string) => (await (await fetch(`${url}/v1/systems/${system}/samples`)).json()).samples
const post = (path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, { method: 'POST', body, headers })

describe('the official client for Node', () => {
  it('writes points, packed and not, which become samples', async () => {
    const client = new InfluxDB({ url, token: 'none' })
    for (const gzipThreshold of [1, 1_000_000]) {
      const api = client.getWriteApi('org', 'plant', 'ms', { maxRetries: 0, gzipThreshold })
      const at = new Date(gzipThreshold === 1 ? '2026-11-15T10:00:00Z' : '2026-11-15T10:00:01Z')
      api.writePoint(new Point('tank').tag('site', 'north').floatField('pressure', 1.5).timestamp(at))
      api.writePoint(new Point('pump').intField('temperature', 20).stringField('note', 'a "b"').timestamp(at))
      await api.close()
    }
    const samples = await samplesOf('plant')
    expect(samples).toMatchObject([
      { values: [1.5, 20], at: Date.parse('2026-11-15T10:00:00Z'), by: 'local' },
      { values: [1.5, 20], at: Date.parse('2026-11-15T10:00:01Z') },
    ])
  })

  it('is told what is wrong in the words it shows', async () => {
    const api = new InfluxDB({ url, token: 'none' }).getWriteApi('org', 'nobody', 'ns', { maxRetries: 0 })
    api.writePoint(new Point('tank').floatField('pressure', 1))
    const error = await api.close().catch((error) => error)
    expect(error).toBeInstanceOf(HttpError)
    expect(error).toMatchObject({ statusCode: 404, code: 'not found', message: 'there is no system nobody' })
  })
})

describe('writing lines', () => {
  const MOMENT = 'tank pressure=1,temperature=2 1794736900'

  it('takes a batch that is sent again once', async () => {
    const { samples } = await detail('other')
    for (let i = 0; i < 3; i++) expect((await post('/api/v2/write?bucket=other&precision=s', MOMENT)).status).toBe(204)
    expect((await detail('other')).samples).toBe(samples + 1)
  })

  it('takes them as InfluxDB 1 has it, packed, and whatever the body is called', async () => {
    const { samples } = await detail()
    const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'gzip' }
    const body = gzipSync('tank pressure=1,temperature=2 29912300')
    expect((await post('/write?db=plant&precision=m', new Uint8Array(body), type)).status).toBe(204)
    expect((await samplesOf('plant')).at(-1).at).toBe(29912300 * 60_000)
    expect((await detail()).samples).toBe(samples + 1)
    expect((await fetch(`${url}/ping`)).status).toBe(204)
  })

  it('takes what is right of a batch, and tells the first line that is not', async () => {
    const { samples } = await detail()
    const answer = await post(
      '/api/v2/write?bucket=plant',
      'tank pressure=3,temperature=2 1794736900000000001\nnonsense\ntank pressure=4 1794736901000000000\n',
    )
    expect(answer.status).toBe(400)
    expect(answer.headers.get('content-type')).toContain('application/json')
    const { code, message } = await answer.json()
    expect(code).toBe('invalid')
    expect(message).toBe('line 2: expected a measurement, a space and fields; 1 more refused; 1 sample was taken')
    expect((await detail()).samples).toBe(samples + 1)
  })

  it.each([
    ['/api/v2/write', MOMENT, 400, 'bucket'],
    ['/api/v2/write?bucket=plant&precision=d', MOMENT, 400, 'precision: expected ns, us, ms or s, got "d"'],
    ['/api/v2/write?bucket=plant', 'tank level=1', 400, 'pressure, temperature'],
    ['/api/v2/write?bucket=plant', 'tank pressure=1', 400, 'temperature has no value'],
    ['/api/v2/write?bucket=plant&precision=s', 'tank pressure=1,temperature=2 9223372036854775807', 400, 'time'],
    ['/api/v2/write?bucket=plant', '', 400, 'no field'],
    ['/api/v2/write?bucket=plant', Array.from({ length: 10_001 }, (_, i) => `m a=1 ${i}`).join('\n'), 413, '10000'],
  ])('refuses %s with %.40s and changes nothing', async (path, body, status, what) => {
    const { samples } = await detail()
    const answer = await post(path, body)
    expect([answer.status, (await answer.json()).message]).toEqual([status, expect.stringContaining(what)])
    expect((await detail()).samples).toBe(samples)
  })

  it('refuses what is no gzip, and what is too large when it is unpacked', async () => {
    const packed = { 'content-encoding': 'gzip' }
    expect((await post('/api/v2/write?bucket=plant', 'x', packed)).status).toBe(400)
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(64 << 20, 35)))
    expect((await post('/api/v2/write?bucket=plant', bomb, packed)).status).toBe(413)
  })
})

describe('with tokens', async () => {
  const guarded = await localServer({ systems: [PLANT, { ...PLANT, id: 'other' }] })
  const create = async (body: object, headers = {}) => {
    const answer = await fetch(`${guarded.url}/v1/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return (await answer.json()).token as string
  }

  it('takes a token of a sensor in each of the ways of InfluxDB, and for its system alone', async () => {
    const admin = await create({ name: 'alice', roles: ['admin'] })
    const bearer = { authorization: `Bearer ${admin}` }
    const sensor = await create({ name: 'telegraf', roles: ['sensor'], systems: ['plant'] }, bearer)
    const basic = `Basic ${Buffer.from(`anybody:${sensor}`).toString('base64')}`
    const write = async (bucket: string, authorization?: string) => {
      const headers: Record<string, string> = authorization ? { authorization } : {}
      const address = `${guarded.url}/api/v2/write?bucket=${bucket}`
      return (await fetch(address, { method: 'POST', headers, body: 'm pressure=1,temperature=2' })).status
    }
    for (const way of [`Token ${sensor}`, `Bearer ${sensor}`, basic])
      expect([way, await write('plant', way)]).toEqual([way, 204])
    expect(await write('other', `Token ${sensor}`)).toBe(403)
    expect(await write('plant')).toBe(401)
    expect(await write('plant', 'Token wrong')).toBe(401)
    const read = await fetch(`${guarded.url}/v1/systems`, { headers: { authorization: `Token ${admin}` } })
    expect(read.status).toBe(401)
  })
})
