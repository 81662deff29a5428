import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ApiError, request, sayFailed } from './client.ts'

/** Refuses what has a reason in its path, and hangs up on everything else. */
const server = createServer(({ url = '', socket }, response) => {
  if (!url.startsWith('/refuse')) return socket.destroy()
  response.writeHead(409, { 'content-type': 'application/problem+json' }).end('{"detail":"it is archived"}')
})
let base = ''

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

it('says of a change whose answer is lost that it may have been made, and of nothing else', async () => {
  const failure = (method: string, path: string) => request(method, base + path).catch((error: ApiError) => error)
  const said = async (method: string, path: string) =>
    sayFailed(await failure(method, path), (why) => `Not saved: ${why}`)
  expect(await said('PATCH', '/hang-up')).toMatch(/^The server did not answer\. The change may have been made: /)
  expect(await said('DELETE', '/hang-up')).toMatch(/^The server did not answer\. The change may have been made: /)
  expect(await said('GET', '/hang-up')).toMatch(/^Not saved: /)
  expect(await said('PATCH', '/refuse')).toBe('Not saved: it is archived')
  expect(sayFailed(new Error('no'), (why) => why)).toBe('no')
})
