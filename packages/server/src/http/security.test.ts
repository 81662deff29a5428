import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import '@fastify/swagger'
import type { Role } from '@pb-oel/protocol'
import { describe, expect, it } from 'vitest'
import { OPENSSL } from '../../../../test/support/needs.ts'
import { isLoopback } from '../auth/guard.ts'
import { Backups } from '../backup/backups.ts'
import { LocalReading } from '../reading/local-reading.ts'
import { serve } from '../serve.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { memoryApp } from '../testing/memory-app.ts'

const READERS = ['viewer', 'reviewer', 'admin']
const ANSWERERS = ['reviewer', 'admin']
const ADMINS = ['admin']
const EVERYBODY = ['nobody', 'sensor', 'reviewer', 'viewer', 'admin']

/** Who may call what. A route that is missing here fails the test. */
const TABLE: Record<string, readonly string[]> = {
  'GET /v1/systems': READERS,
  'POST /v1/systems': ADMINS,
  'GET /v1/systems/{id}': READERS,
  'PATCH /v1/systems/{id}': ADMINS,
  'DELETE /v1/systems/{id}': ADMINS,
  'POST /v1/systems/{id}/clone': ADMINS,
  'POST /v1/systems/{id}/channels': ADMINS,
  'POST /v1/systems/{id}/levels': ADMINS,
  'GET /v1/systems/{id}/guarantee': READERS,
  'GET /v1/systems/{id}/progress': READERS,
  'GET /v1/methods': READERS,
  'POST /v1/systems/{id}/samples': ['sensor', 'admin'],
  'GET /v1/systems/{id}/samples': READERS,
  'GET /v1/systems/{id}/chart': READERS,
  'GET /v1/systems/{id}/explanation': READERS,
  'GET /v1/systems/{id}/samples/{assessment}': READERS,
  'POST /v1/systems/{id}/feedback': ANSWERERS,
  'POST /v1/systems/{id}/what-if': READERS,
  'POST /v1/systems/{id}/mapping': READERS,
  'GET /v1/systems/{id}/reviewers': READERS,
  'POST /v1/systems/{id}/stretches': ANSWERERS,
  'POST /v1/systems/{id}/comments': ANSWERERS,
  'GET /v1/systems/{id}/comments': READERS,
  'POST /v1/systems/{id}/assignments': ANSWERERS,
  'DELETE /v1/systems/{id}/stretches/{stretch}': ANSWERERS,
  'GET /v1/systems/{id}/queue': READERS,
  'POST /v1/systems/{id}/queue/{assessment}/claim': ANSWERERS,
  'DELETE /v1/systems/{id}/queue/{assessment}/claim': ANSWERERS,
  'GET /v1/systems/{id}/events': READERS,
  'POST /v1/systems/{id}/events/ticket': READERS,
  'GET /v1/systems/{id}/log': READERS,
  'GET /v1/systems/{id}/export': READERS,
  'GET /v1/systems/{id}/state': READERS,
  'POST /v1/systems/{id}/compact': ADMINS,
  'POST /v1/systems/{id}/exclusions': ADMINS,
  'POST /v1/systems/{id}/alarm/acknowledge': ANSWERERS,
  'POST /v1/systems/{id}/alarm/shelve': ANSWERERS,
  'POST /v1/systems/{id}/alarm/unshelve': ANSWERERS,
  'POST /v1/systems/{id}/alarm/reset': ANSWERERS,
  'POST /v1/systems/{id}/alarm/out-of-service': ADMINS,
  'POST /v1/systems/{id}/alarm/in-service': ADMINS,
  'GET /v1/alarms': READERS,
  'GET /v1/alarms/history': READERS,
  'GET /v1/me': EVERYBODY,
  'GET /v1/tokens': ADMINS,
  'POST /v1/tokens': ADMINS,
  'DELETE /v1/tokens/{token}': ADMINS,
  'POST /v1/tokens/{token}/rotate': ADMINS,
  'GET /healthz': EVERYBODY,
  'GET /readyz': EVERYBODY,
  'GET /v1/clock': READERS,
  'GET /metrics': READERS,
  'POST /v1/backup': ADMINS,
  'GET /v1/backups': ADMINS,
  'GET /v1/backups/{file}': ADMINS,
  'GET /v1/simulation': READERS,
  'PATCH /v1/simulation': ADMINS,
}

const { app, tokens, service, log } = await memoryApp()
await service.create('other', { channels: ['a'], levels: ['0', '1'] }, 'test')
await service.sample('plant', { values: [1, 2] }, 'test')
const texts: Record<string, string> = {}
for (const role of ['admin', 'sensor', 'reviewer', 'viewer'] as Role[]) {
  texts[role] = (await tokens.create({ name: role, roles: [role], systems: ['*'] }, 'test', 0)).text
}
const narrow = (await tokens.create({ name: 'narrow', roles: ['admin'], systems: ['other'] }, 'test', 0)).text
const bearer = (text: string | undefined) => (text === undefined ? {} : { authorization: `Bearer ${text}` })

async function ask(method: string, path: string, text?: string) {
  // The stream of events has no end: ask for one that cannot exist instead.
  const query = path.endsWith('/events') ? '?after=-1' : ''
  const url =
    path
      .replace('{id}', 'plant')
      .replace('{assessment}', '0')
      .replace('{token}', '0'.repeat(12))
      .replace('{file}', 'pb-oel-backup-0.db') + query
  const response = await app.inject({ method: method as 'GET', url, headers: bearer(text) })
  return { status: response.statusCode, type: response.headers['content-type'], headers: response.headers }
}

/** What follows `pboel_<id>_`; it may itself hold a `_`. */
const secretOf = (token: string) => token.split('_').slice(2).join('_')

describe('every route × role', () => {
  const paths = (app.swagger() as unknown as { paths: Record<string, object> }).paths
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )

  it('is in the table', () => {
    expect(routes.sort()).toEqual(Object.keys(TABLE).sort())
  })

  it.each(Object.keys(TABLE))('%s', async (route) => {
    const [method, path] = route.split(' ')
    for (const role of EVERYBODY) {
      const { status, type } = await ask(method, path, texts[role])
      const allowed = TABLE[route].includes(role)
      const found = `${role} ${status === 401 || status === 403 ? status : 'passes'}`
      expect(found).toBe(`${role} ${allowed ? 'passes' : role === 'nobody' ? 401 : 403}`)
      if (!allowed) expect(type).toBe('application/problem+json')
    }
    const wide = path.includes('{id}') || /tokens|backup|metrics/.test(path)
    const scoped = await ask(method, path, narrow)
    if (wide) expect(scoped.status).toBe(403)
  })

  it('an admin of one system sees that one only and cannot make others', async () => {
    const list = await app.inject({ url: '/v1/systems', headers: bearer(narrow) })
    expect(list.json().systems.map(({ id }: { id: string }) => id)).toEqual(['other'])
    const body = { id: 'third', channels: ['a'], levels: ['0', '1'] }
    const made = await app.inject({ method: 'POST', url: '/v1/systems', headers: bearer(narrow), payload: body })
    expect(made.statusCode).toBe(404)
  })
})

describe('tokens', () => {
  it('are shown once, kept as hashes, and end when revoked', async () => {
    const payload = { name: 'eva', roles: ['viewer'] }
    const made = await app.inject({ method: 'POST', url: '/v1/tokens', headers: bearer(texts.admin), payload })
    const { id, token } = made.json()
    const secret = secretOf(token)
    const records = await log.read('$server')
    expect(JSON.stringify(records)).not.toContain(secret)
    expect((await app.inject({ url: '/v1/tokens', headers: bearer(texts.admin) })).body).not.toContain(secret)
    expect((await ask('GET', '/v1/systems', token)).status).toBe(200)
    const gone = await app.inject({ method: 'DELETE', url: `/v1/tokens/${id}`, headers: bearer(texts.admin) })
    expect(gone.statusCode).toBe(204)
    expect((await ask('GET', '/v1/systems', token)).status).toBe(401)
  })

  it('of the former role expert are those of a reviewer', async () => {
    const headers = bearer(texts.admin)
    const payload = { name: 'eva', roles: ['expert'] }
    const made = await app.inject({ method: 'POST', url: '/v1/tokens', headers, payload })
    expect(made.statusCode).toBe(201)
    const { token } = made.json()
    expect((await app.inject({ url: '/v1/me', headers: bearer(token) })).json().roles).toEqual(['reviewer'])
    expect((await ask('GET', '/v1/systems', token)).status).toBe(200)
    const wrong = { name: 'eva', roles: ['king'] }
    const refused = await app.inject({ method: 'POST', url: '/v1/tokens', headers, payload: wrong })
    expect(refused.json().detail).toBe('body/roles/0: expected one of sensor, reviewer, viewer, admin')
    await tokens.revoke(made.json().id, 'test', 0)
  })

  it('never leave a server without an admin', async () => {
    const fresh = await memoryApp()
    const viewer = { name: 'v', roles: ['viewer'] }
    expect(
      (await fresh.app.inject({ method: 'POST', url: '/v1/tokens', payload: viewer, headers: { host: 'localhost' } }))
        .statusCode,
    ).toBe(409)
    const first = await fresh.app.inject({
      method: 'POST',
      url: '/v1/tokens',
      payload: { name: 'a', roles: ['admin'] },
      headers: { host: 'localhost' },
    })
    const { id, token } = first.json()
    expect((await fresh.app.inject({ url: '/v1/systems', headers: { host: 'localhost' } })).statusCode).toBe(401)
    const last = await fresh.app.inject({ method: 'DELETE', url: `/v1/tokens/${id}`, headers: bearer(token) })
    expect(last.statusCode).toBe(409)
  })

  it('guessed wrong too often are refused until a minute has passed; a valid one is not', async () => {
    let now = 0
    const fresh = await memoryApp({}, () => now)
    const { text } = await fresh.tokens.create({ name: 'a', roles: ['admin'], systems: ['*'] }, 'test', 0)
    const attempt = async (token: string) =>
      (await fresh.app.inject({ url: '/v1/systems', headers: bearer(token) })).statusCode
    const wrong = `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`
    const statuses = []
    for (let i = 0; i < 12; i++) statuses.push(await attempt(i % 2 ? wrong : 'rubbish'))
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
    expect(await attempt(text)).toBe(200)
    now = 60_001
    expect([await attempt(wrong), await attempt(text)]).toEqual([401, 200])
  })
})

describe('a server without tokens', () => {
  it('answers to loopback names and its own pages only', async () => {
    const fresh = await memoryApp()
    const status = async (headers: Record<string, string>) =>
      (await fresh.app.inject({ url: '/v1/systems', headers })).statusCode
    expect(await status({ host: '127.0.0.1:8400' })).toBe(200)
    expect(await status({ host: '[::1]:8400' })).toBe(200)
    expect(await status({ host: 'evil.example' })).toBe(403)
    expect(await status({ host: 'localhost:8400', origin: 'http://localhost:8400' })).toBe(200)
    expect(await status({ host: 'localhost:8400', origin: 'https://evil.example' })).toBe(403)
    expect(await status({ host: 'localhost:8400', origin: 'null' })).toBe(403)
  })

  it('does not listen beyond this machine', async () => {
    const store = join(temporaryFolder(), 'open.db')
    await expect(serve({ store, host: '0.0.0.0', port: 0, logLevel: 'silent' })).rejects.toThrow('has no tokens')
    expect([isLoopback('127.0.0.1'), isLoopback('0.0.0.0'), isLoopback('192.168.0.1')]).toEqual([true, false, false])
  })
})

describe('attacks', () => {
  it.each([
    '/../package.json',
    '/..%2f..%2fetc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/v1/systems/..%2f..',
    '/v1/systems/%00',
    '//etc/passwd',
  ])('path traversal %s finds nothing', async (url) => {
    const { statusCode, headers, body } = await app.inject({ url, headers: bearer(texts.admin) })
    expect([400, 403, 404]).toContain(statusCode)
    expect(headers['content-type']).toBe('application/problem+json')
    expect(body).not.toContain('root:')
  })

  it('line breaks in what is sent reach neither headers nor the text of problems', async () => {
    const evil = 'x\r\nset-cookie: a=1\n{"level":50}'
    const { body, headers } = await app.inject({
      method: 'POST',
      url: '/v1/systems/plant/samples',
      headers: bearer(texts.admin),
      payload: { values: { [evil]: 1 } },
    })
    expect(headers['set-cookie']).toBeUndefined()
    expect(JSON.parse(body).detail).not.toMatch(/[\r\n]/)
    const named = await app.inject({
      method: 'POST',
      url: '/v1/tokens',
      headers: bearer(texts.admin),
      payload: { name: evil, roles: ['viewer'] },
    })
    expect(named.statusCode).toBe(400)
    const keyed = await app.inject({
      method: 'POST',
      url: '/v1/systems/plant/samples',
      headers: bearer(texts.admin),
      payload: { values: [1, 2], key: evil },
    })
    expect(keyed.statusCode).toBe(400)
  })

  it('too large, too deep, too many: refused', async () => {
    const post = (payload: string, type = 'application/json') =>
      app.inject({
        method: 'POST',
        url: '/v1/systems/plant/samples',
        headers: { ...bearer(texts.admin), 'content-type': type },
        payload,
      })
    expect((await post(`{"values":[${'1,'.repeat(600_000)}1]}`)).statusCode).toBe(413)
    expect((await post(`{"values":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).statusCode).toBe(400)
    expect((await post('{"values":[1,2],"__proto__":{"a":1}}')).statusCode).toBe(400)
    expect((await post('<a/>', 'text/xml')).statusCode).toBe(415)
    const small = await memoryApp({ requestsPerSecond: 5 })
    const statuses: number[] = []
    for (let i = 0; i < 8; i++)
      statuses.push((await small.app.inject({ url: '/v1/systems', headers: { host: 'localhost' } })).statusCode)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
  })

  it('no secret and no query in the logs', async () => {
    const lines: string[] = []
    const { createApp } = await import('../app.ts')
    const { LIMITS } = await import('./limits.ts')
    const { Metrics } = await import('../metrics/metrics.ts')
    const { loggerOptions } = await import('../start/logging.ts')
    const context = {
      service,
      reading: new LocalReading(service.log),
      tokens,
      metrics: new Metrics(),
      backups: new Backups(service.log, '', Date.now),
      stopping: () => false,
      streams: new Set<never>(),
      maxStreams: 1,
    }
    const stream = { write: (line: string) => void lines.push(line) }
    const logged = await createApp(context, LIMITS, { logger: { ...loggerOptions('debug'), stream } })
    await logged.inject({ url: '/v1/systems?token=hush', headers: bearer(texts.admin) })
    await logged.inject({ url: '/v1/systems/a%0ab?token=hush', headers: bearer('pboel_000000000000_hush') })
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.join('')).not.toContain('hush')
    expect(lines.join('')).not.toContain(secretOf(texts.admin))
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
  })
})

it.skipIf(!OPENSSL)('TLS by file (needs openssl)', async () => {
  const folder = temporaryFolder()
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const options = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost'
  // A fresh environment: the client of OPC UA, once loaded, leaves OPENSSL_CONF=undefined behind in the process.
  const env = { PATH: process.env.PATH }
  execFileSync('openssl', ['req', '-x509', ...options.split(' '), '-keyout', key, '-out', cert], { stdio: 'pipe', env })
  const server = await serve({ store: join(folder, 'tls.db'), port: 0, logLevel: 'silent', tls: { cert, key } })
  const [status, hsts] = await new Promise<unknown[]>((done, fail) => {
    const call = httpsRequest(
      `${server.url}/healthz`,
      { ca: readFileSync(cert), servername: 'localhost' },
      (response) => done([response.statusCode, response.headers['strict-transport-security']]),
    )
    call.on('error', fail)
    call.end()
  })
  await server.stop()
  expect(status).toBe(200)
  expect(hsts).toBe('max-age=31536000')
  await expect(serve({ store: join(folder, 'tls.db'), port: 0, tls: { cert: 'none.pem', key } })).rejects.toThrow(
    'none.pem',
  )
})
