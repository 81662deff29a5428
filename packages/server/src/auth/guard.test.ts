import { once } from 'node:events'
import { Agent, get } from 'node:http'
import fastify, { type FastifyRequest } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ServerClock } from '../clock/server-clock.ts'
import { SimulatedClock } from '../clock/testing/simulated-clock.ts'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { guard } from './guard.ts'
import type { Principal } from './roles.ts'
import { Tickets } from './tickets.ts'
import { Tokens } from './tokens.ts'

const bearer = (text: string) => ({ authorization: `Bearer ${text}` })

/** A server with a few routes behind the guard; they say who asked. */
async function guarded(bridgeOf?: (request: FastifyRequest) => string | undefined) {
  const clock = new SimulatedClock(0)
  const tokens = await Tokens.open(new MemoryLog(), clock)
  const tickets = new Tickets('secret', tokens)
  const app = fastify()
  guard(app, { tokens, tickets, time: new ServerClock(clock), origins: ['https://friend.example'], bridgeOf })
  const who = async ({ principal: { name, roles, systems } }: FastifyRequest) => ({ name, roles, systems })
  app.get('/public', { config: { permission: 'public' } }, who)
  app.get('/read', { config: { permission: 'read' } }, who)
  app.get('/influx', { config: { permission: 'read', takesInfluxTokens: true } }, who)
  app.get('/all', { config: { permission: 'read', allSystems: true } }, who)
  app.get('/v1/systems/:id', { config: { permission: 'read', takesTickets: true } }, who)
  app.get('/v1/systems/:id/log', { config: { permission: 'read' } }, who)
  const ask = async (url: string, headers: Record<string, string> = {}) => {
    const response = await app.inject({ url, headers: { host: 'localhost:8400', ...headers } })
    return { status: response.statusCode, ...response.json() }
  }
  const make = (systems: string[]) => tokens.create({ name: 'eva', roles: ['viewer'], systems }, 'test', 0)
  const admin = () => tokens.create({ name: 'root', roles: ['admin'], systems: ['*'] }, 'test', 0)
  return { app, clock, tokens, tickets, ask, make, admin }
}

describe('the guard of an open server', () => {
  it('lets in loopback names, its own pages and those it was told of', async () => {
    const { ask } = await guarded()
    const status = async (host: string, origin?: string) =>
      (await ask('/read', { host, ...(origin !== undefined && { origin }) })).status
    expect(await ask('/read')).toEqual({ status: 200, name: 'local', roles: ['admin'], systems: ['*'] })
    for (const host of ['127.0.0.1', '127.0.0.1:8400', '[::1]:80', 'localhost']) expect(await status(host)).toBe(200)
    for (const host of ['evil.example', 'localhost:80.evil', 'localhost:x']) expect(await status(host)).toBe(403)
    const own = 'localhost:8400'
    for (const origin of [`http://${own}`, `https://${own}`, 'https://friend.example']) {
      expect(await status(own, origin)).toBe(200)
    }
    for (const origin of ['null', 'https://evil.example', 'localhttp://host:8400', 'http://localhost:81']) {
      expect(await status(own, origin)).toBe(403)
    }
  })

  it('takes no route that does not say which permission it needs', async () => {
    const { app } = await guarded()
    expect(() => app.get('/open', async () => 1)).toThrow('route /open does not say which permission it needs')
  })
})

describe('the guard of a server with tokens', () => {
  it('wants a token that is valid, and the rights that the route needs', async () => {
    const { ask, make, admin } = await guarded()
    await admin()
    const { text } = await make(['plant'])
    expect(await ask('/public')).toEqual({ status: 200, name: 'nobody', roles: [], systems: [] })
    expect(await ask('/read')).toMatchObject({ status: 401, message: 'this needs a bearer token' })
    expect(await ask('/read', { authorization: 'Bearer' })).toMatchObject({ status: 401 })
    expect(await ask('/read', bearer(text))).toMatchObject({ status: 200, name: 'eva' })
    expect(await ask('/read', { authorization: `bEARER ${text}` })).toMatchObject({ status: 200 })
    expect(await ask('/all', bearer(text))).toMatchObject({ status: 403, message: 'eva may not do this' })
    expect(await ask('/v1/systems/plant', bearer(text))).toMatchObject({ status: 200 })
    expect(await ask('/v1/systems/other', bearer(text))).toMatchObject({ status: 403 })
    expect(await ask('/v1/systems/plant/log', bearer(text))).toMatchObject({ status: 200 })
    expect(await ask('/v1/systems/other/log', bearer(text))).toMatchObject({ status: 403 })
    expect(await ask('/nowhere', bearer(text))).toMatchObject({ status: 404 })
  })

  it('takes tokens as clients of InfluxDB send them, where the route does', async () => {
    const { ask, make, admin } = await guarded()
    await admin()
    const { text } = await make(['*'])
    const basic = Buffer.from(`name:${text}`).toString('base64')
    for (const authorization of [`Token ${text}`, `Token name:${text}`, `Basic ${basic}`]) {
      expect((await ask('/influx', { authorization })).status).toBe(200)
      expect((await ask('/read', { authorization })).status).toBe(401)
    }
    const nameless = `Basic ${Buffer.from(text).toString('base64')}`
    for (const authorization of [`Other ${text}`, `Other ${basic}`, nameless, 'Token', 'Basic']) {
      expect((await ask('/influx', { authorization })).status).toBe(401)
    }
  })

  it('takes a ticket where the route does, until it ends', async () => {
    const { ask, clock, tokens, tickets, make, admin } = await guarded()
    await admin()
    const { id } = await make(['plant'])
    const { ticket } = tickets.issue(tokens.find(id) as Principal, 'plant', 0)
    expect(await ask(`/v1/systems/plant?ticket=${ticket}`)).toMatchObject({ status: 200, name: 'eva' })
    expect((await ask(`/v1/systems/other?ticket=${ticket}`)).status).toBe(403)
    expect(await ask(`/read?ticket=${ticket}`)).toMatchObject({ status: 401, message: 'this needs a bearer token' })
    expect(await ask('/v1/systems/plant?ticket=x')).toMatchObject({
      status: 401,
      message: 'this ticket is not valid any more: ask for a new one',
    })
    expect((await ask(`/v1/systems/plant?ticket=${ticket}&ticket=${ticket}`)).message).toContain('bearer token')
    await clock.advance(300_000)
    expect((await ask(`/v1/systems/plant?ticket=${ticket}`)).status).toBe(401)
  })

  it('lets an address wait after ten wrong tokens, but not with valid ones', async () => {
    const { ask, make, admin, clock } = await guarded()
    await admin()
    const { text } = await make(['*'])
    for (let i = 0; i < 10; i++) expect((await ask('/read', bearer('wrong'))).message).toBe('this token is not valid')
    expect(await ask('/read', bearer('wrong'))).toMatchObject({ status: 429, message: expect.stringContaining('60 s') })
    expect((await ask('/read', bearer(text))).status).toBe(200)
    await clock.advance(60_000)
    expect((await ask('/read', bearer('wrong'))).status).toBe(401)
  })

  it('lets the bridge of another worker in without a token', async () => {
    const { ask, admin } = await guarded(({ headers }) => headers['x-bridge'] as string | undefined)
    await admin()
    const expected = { status: 200, name: 'mqtt', roles: ['sensor', 'reviewer'], systems: ['*'] }
    expect(await ask('/all', { 'x-bridge': 'mqtt' })).toEqual(expected)
    expect((await ask('/all')).status).toBe(401)
  })
})

describe('a right that ends', () => {
  it('ends what has no end of its own; a short answer that is due still goes out', async () => {
    const { app, tokens, make, admin } = await guarded()
    const due = Promise.withResolvers<void>()
    const arrived = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    app.get('/stream', { config: { permission: 'read' } }, (_, reply) =>
      reply.hijack().raw.writeHead(200).write('first'),
    )
    app.get('/due', { config: { permission: 'read' } }, async () => {
      arrived[0].resolve()
      await due.promise
      return 'done'
    })
    app.addContentTypeParser('text/plain', (_, body, done) => {
      body.once('data', () => arrived[1].resolve())
      body.once('error', done).once('end', done)
    })
    app.post('/upload', { config: { permission: 'read' } }, async () => 'done')
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    onTestFinished(() => app.close())
    await admin()
    const { id, text } = await make(['*'])
    const headers = { ...bearer(text), 'content-type': 'text/plain' }
    const stream = await fetch(`${url}/stream`, { headers })
    const short = fetch(`${url}/due`, { headers: bearer(text) })
    const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('x')) })
    const upload = fetch(`${url}/upload`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
    const uploaded = upload.then(
      () => 'answered',
      () => 'cut',
    )
    await Promise.all(arrived.map(({ promise }) => promise))
    await tokens.revoke(id, 'test', 0)
    await expect(stream.text()).rejects.toThrow()
    expect(await uploaded).toBe('cut')
    due.resolve()
    expect(await (await short).text()).toBe('done')
  })

  it('does not end a connection whose answers are out: others may come by it', async () => {
    const { app, tokens, make, admin } = await guarded()
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    onTestFinished(() => app.close())
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const ask = async (text: string) => {
      const request = get({ agent, port, path: '/read', headers: bearer(text) })
      const [response] = await once(request, 'response')
      const free = once(agent, 'free')
      response.resume()
      await free
      return { status: response.statusCode, reused: request.reusedSocket }
    }
    const { text } = await admin()
    const viewer = await make(['*'])
    expect(await ask(viewer.text)).toEqual({ status: 200, reused: false })
    await tokens.revoke(viewer.id, 'test', 0)
    expect(await ask(text)).toEqual({ status: 200, reused: true })
  })
})
