import { describe, expect, it } from 'vitest'
import { memoryApp } from '../testing/memory-app.ts'

const { app } = await memoryApp()
const ask = (method: string, url: string) =>
  app.inject({ method: method as 'GET', url, headers: { host: 'localhost' } })

describe('methods as HTTP has them', () => {
  it.each(['/healthz', '/v1/systems', '/v1/systems/plant', '/v1/systems/plant/log', '/openapi.json'])(
    'HEAD %s has the headers of GET and no body',
    async (url) => {
      const [head, get] = [await ask('HEAD', url), await ask('GET', url)]
      expect([head.statusCode, head.headers['content-type'], head.body]).toEqual([200, get.headers['content-type'], ''])
    },
  )

  it('HEAD of events opens no stream', async () => {
    const head = await ask('HEAD', '/v1/systems/plant/events')
    expect([head.statusCode, head.headers['content-type'], head.body]).toEqual([200, 'text/event-stream', ''])
  })

  it.each([
    ['PUT', '/v1/systems/plant', 'DELETE, GET, HEAD, PATCH'],
    ['PUT', '/v1/systems/plant/samples', 'GET, HEAD, POST'],
    ['GET', '/v1/backup', 'POST'],
    ['POST', '/healthz', 'GET, HEAD'],
  ])('%s %s is 405 and says what is allowed', async (method, url, allow) => {
    const { statusCode, headers, body } = await ask(method, url)
    expect([statusCode, headers.allow, JSON.parse(body).title]).toEqual([405, allow, 'Method not allowed'])
  })

  it('an address that does not exist is 404 whatever the method', async () => {
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE'])
      expect((await ask(method, '/v1/nothing')).statusCode).toBe(404)
  })
})
