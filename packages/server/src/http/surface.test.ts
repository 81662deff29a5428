import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { localServer } from '../testing/local-server.ts'
import { send } from '../testing/requests.ts'

const ORIGIN = 'https://hmi.example'
const server = await localServer({ origins: [ORIGIN] })

/** An answer as it comes over the wire. */
function raw(path: string, headers: Record<string, string>, base = server.url, method = 'GET') {
  return new Promise<{ status?: number; headers: Record<string, unknown>; bytes: Buffer }>((done, fail) => {
    const asked = request(`${base}${path}`, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () =>
        done({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) }),
      )
    })
    asked.on('error', fail).end()
  })
}

it('every answer forbids browsers what they need not do with it', async () => {
  const strict = {
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  }
  for (const path of ['/', '/v1/systems', '/v1/nothing', '/docs', '/v1/systems/plant/export'])
    expect((await raw(path, {})).headers, path).toMatchObject(strict)
  expect((await raw('/', {})).headers['strict-transport-security']).toBeUndefined()
})

it('what is told once or changes with every look is kept by nobody', async () => {
  const cacheControl = async (path: string, method = 'GET', body?: object) => {
    const headers = { ...(body && { 'content-type': 'application/json' }) }
    const answer = await fetch(`${fresh.url}${path}`, { method, headers, body: body && JSON.stringify(body) })
    const { headers: told } = answer
    await answer.body?.cancel()
    return [path, told.get('cache-control')]
  }
  const fresh = await localServer()
  const NO_STORE = 'no-store'
  for (const [path, method, body] of [
    ['/v1/systems/plant/export'],
    ['/v1/systems/plant/events'],
    ['/v1/systems/plant/events/ticket', 'POST'],
    ['/v1/tokens', 'POST', { name: 'a', roles: ['admin'] }],
  ] as const) {
    expect(await cacheControl(path, method, body)).toEqual([path, NO_STORE])
  }
  const events = await raw('/v1/systems/plant/events', {}, server.url, 'HEAD')
  expect(events.headers).toMatchObject({ 'cache-control': NO_STORE, 'x-accel-buffering': 'no' })
})

describe('compression', () => {
  it('is Brotli or gzip, as the client takes it, and the same bytes behind it', async () => {
    const plain = await raw('/v1/methods', {})
    expect(plain.headers['content-encoding']).toBeUndefined()
    const gzip = await raw('/v1/methods', { 'accept-encoding': 'gzip' })
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true)
    const brotli = await raw('/v1/methods', { 'accept-encoding': 'gzip, br' })
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true)
    expect(brotli.bytes.length).toBeLessThan(plain.bytes.length / 3)
  })

  it('holds no event back', async () => {
    const response = await fetch(`${server.url}/v1/systems/plant/events?after=0&kinds=created`)
    expect(response.headers.get('content-encoding')).toBeNull()
    const reader = response.body?.getReader()
    let text = ''
    while (!text.includes('event: created')) text += Buffer.from((await reader?.read())?.value ?? []).toString()
    await reader?.cancel()
  })
})

describe('pages of other origins', () => {
  const preflight = (origin: string, base = server.url) =>
    fetch(`${base}/v1/systems/plant/samples`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    })

  it('may use the API when they are on the list', async () => {
    const asked = await preflight(ORIGIN)
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-origin')).toBe(ORIGIN)
    expect(Object.fromEntries([...asked.headers].filter(([name]) => name.startsWith('access-control')))).toEqual({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
      'access-control-allow-headers': 'authorization, content-type, last-event-id',
      'access-control-expose-headers': 'location, retry-after, allow',
      'access-control-max-age': '600',
    })
    const answer = await fetch(`${server.url}/v1/systems`, { headers: { origin: ORIGIN } })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, ORIGIN])
    expect(answer.headers.get('vary')?.toLowerCase()).toContain('origin')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  })

  it('may not when they are not on it, nor anywhere without a list', async () => {
    const closed = await localServer()
    for (const [origin, base] of [
      ['https://evil.example', server.url],
      [ORIGIN, closed.url],
    ]) {
      const asked = await preflight(origin, base)
      expect(asked.headers.get('access-control-allow-origin')).toBeNull()
      const answer = await fetch(`${base}/v1/systems`, { headers: { origin } })
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null])
    }
  })
})

describe('files of the page', () => {
  it('are kept forever when their name holds their hash, and asked for again otherwise', async () => {
    const index = await raw('/', {})
    expect(index.headers['cache-control']).toBe('no-cache')
    const [asset] = index.bytes.toString().match(/assets\/[^"]+\.js/) ?? []
    expect((await raw(`/${asset}`, {})).headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await raw('/icon.svg', {})).headers['cache-control']).toBe('no-cache')
  })
})

describe('the page to try the API', () => {
  it('and everything it loads come from this server', async () => {
    const page = (await raw('/docs', {})).bytes.toString()
    const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file)
    expect(files).toHaveLength(4)
    for (const file of files) expect([file, (await raw(file, {})).status]).toEqual([file, 200])
  })
})

describe('a ticket for events', () => {
  it('opens the events of its system and nothing else, and ends with its token', async () => {
    const guarded = await localServer()
    const { url, tokens } = guarded
    await guarded.service.create('other', { channels: ['a'], levels: ['0', '1'] }, 'test')
    const admin = await tokens.create({ name: 'a', roles: ['admin'], systems: ['*'] }, 'test', 0)
    const viewer = await tokens.create({ name: 'v', roles: ['viewer'], systems: ['*'] }, 'test', 0)
    const as = (text: string) => ({ authorization: `Bearer ${text}` })
    const path = `${url}/v1/systems/plant/events/ticket`
    expect((await send(path, 'POST')).status).toBe(401)
    const { status, body } = await send(path, 'POST', undefined, as(viewer.text))
    expect(status).toBe(200)
    expect(body.expires).toBeGreaterThan(Date.now())
    const stream = await fetch(`${url}${body.url}&after=0&kinds=created`)
    expect(stream.status).toBe(200)
    const query = `?ticket=${body.ticket}`
    for (const elsewhere of ['/v1/systems/other/events', '/v1/systems/plant', '/v1/systems/plant/log']) {
      expect([401, 403], elsewhere).toContain((await fetch(`${url}${elsewhere}${query}`)).status)
    }
    const forged = body.ticket.replace(/^./, (first: string) => (first === 'W' ? 'X' : 'W'))
    expect((await fetch(`${url}/v1/systems/plant/events?ticket=${forged}`)).status).toBe(401)
    const ended = stream.text().catch(() => 'cut off')
    await tokens.revoke(viewer.id, 'test', Date.now())
    await ended
    expect((await fetch(`${url}${body.url}`)).status).toBe(401)
    expect((await send(path, 'POST', undefined, as(admin.text))).status).toBe(200)
  })
})
