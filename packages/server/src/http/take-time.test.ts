import { once } from 'node:events'
import { createServer, get, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import type { App } from './context.ts'
import { takeTime } from './take-time.ts'

it('a request that takes time has its connection for as long, and the next one as long as any', async () => {
  const server = createServer().setTimeout(5_000)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const asked = get({ port, host: '127.0.0.1' }).on('error', () => {})
  const [{ socket }, response] = (await once(server, 'request')) as [{ socket: { timeout: number } }, ServerResponse]
  expect(socket.timeout).toBe(5_000)
  takeTime({ server } as unknown as App, { raw: response } as never)
  expect(socket.timeout).toBe(0)
  const ended = once(response, 'close')
  response.end()
  await ended
  expect(socket.timeout).toBe(5_000)
  asked.destroy()
  server.close()
})
