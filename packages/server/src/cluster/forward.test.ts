import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyRequest } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { sendProblem } from '../http/problems.ts'
import { BRIDGE_HEADER, forward, HOP_HEADER } from './forward.ts'
import { bridgeOf, isHop } from './routing.ts'

const SECRET = 'a secret of the cluster'
const servers: { close: () => unknown }[] = []
afterAll(() => {
  for (const server of servers) server.close()
})

/** Another worker, which answers as it is told to; where it is. */
async function worker(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A worker that passes every request on to another one; where it is. */
async function passingOn(to: string): Promise<string> {
  const app = Fastify()
  servers.push(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  app.setErrorHandler((error, request, reply) => void sendProblem(error as Error, request, reply))
  app.all('/*', (request, reply) => forward(request, reply, to, SECRET))
  return app.listen({ port: 0, host: '127.0.0.1' })
}

describe('a request that is passed on', () => {
  it('comes as it was sent, from whom it was, without what belongs to a connection or would be believed', async () => {
    let got: { method?: string; url?: string; headers: IncomingMessage['headers']; body: string } | undefined
    const other = await worker(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const { method, url, headers } = request
      got = { method, url, headers, body }
      response.writeHead(201, { location: '/v1/systems/a', 'content-type': 'text/plain' }).end('made')
    })
    const here = await passingOn(other)
    const answer = await fetch(`${here}/v1/systems/a?x=%20y`, {
      method: 'PATCH',
      headers: {
        authorization: 'Bearer t',
        origin: 'https://hmi.example',
        [BRIDGE_HEADER]: 'forged',
        'last-event-id': '7',
      },
      body: '{"title":"a"}',
    })
    expect([answer.status, answer.headers.get('location'), await answer.text()]).toEqual([201, '/v1/systems/a', 'made'])
    expect(got).toMatchObject({ method: 'PATCH', url: '/v1/systems/a?x=%20y', body: '{"title":"a"}' })
    expect(got?.headers).toMatchObject({
      ...{ [HOP_HEADER]: SECRET, 'x-forwarded-for': '127.0.0.1', authorization: 'Bearer t', 'last-event-id': '7' },
      host: other.replace('http://', ''),
    })
    expect(Object.keys(got?.headers ?? {})).not.toContain(BRIDGE_HEADER)
    expect(Object.keys(got?.headers ?? {})).not.toContain('origin')
  })

  it('is known to have done nothing where nobody listens or where it only reads, and else may have been done', async () => {
    const hangingUp = await passingOn(await worker(({ socket }) => void socket.destroy()))
    const nobody = await passingOn('http://127.0.0.1:1')
    const title = async (base: string, method: string) => {
      const answer = await fetch(`${base}/v1/systems/a/samples`, { method, ...(method === 'POST' && { body: '{}' }) })
      return [answer.status, answer.headers.get('retry-after'), (await answer.json()).title]
    }
    expect(await title(nobody, 'POST')).toEqual([503, '1', 'Not ready'])
    expect(await title(hangingUp, 'GET')).toEqual([503, '1', 'Not ready'])
    expect(await title(hangingUp, 'POST')).toEqual([503, '1', 'Unconfirmed'])
    expect(await title(hangingUp, 'DELETE')).toEqual([503, '1', 'Unconfirmed'])
  })
})

it('only who knows the secret of the cluster is another worker, and only a worker names a bridge', () => {
  const request = (hop?: string) =>
    ({ headers: { [HOP_HEADER]: hop, [BRIDGE_HEADER]: 'bus' } }) as unknown as FastifyRequest
  for (const wrong of [undefined, '', 'short', `${SECRET}x`, SECRET.toUpperCase()]) {
    expect([isHop(request(wrong), SECRET), bridgeOf(request(wrong), SECRET)], wrong).toEqual([false, undefined])
  }
  expect([isHop(request(SECRET), SECRET), bridgeOf(request(SECRET), SECRET)]).toEqual([true, 'bus'])
})
