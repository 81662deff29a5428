import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { localServer } from '../testing/local-server.ts'
import { send } from '../testing/requests.ts'

async function sockets(url: string, count: number, first: string): Promise<Socket[]> {
  const { hostname, port } = new URL(url)
  const all = Array.from({ length: count }, () => connect(Number(port), hostname))
  onTestFinished(() => {
    for (const socket of all) socket.destroy()
  })
  await Promise.all(
    all.map(
      (socket) =>
        new Promise<void>((done) => {
          socket.on('error', () => {}).resume()
          socket.on('close', () => done())
          socket.on('connect', () => socket.write(first, () => done()))
        }),
    ),
  )
  return all
}

describe('greedy clients', () => {
  it('that drip their requests in lock nobody out, and are cut off in time', async () => {
    const server = await localServer({ limits: { connections: 60, connectionsPerAddress: 50, headSeconds: 2 } })
    const all = await sockets(server.url, 200, 'GET /healthz HTTP/1.1\r\nhost: x\r\n')
    const drip = setInterval(() => {
      for (const socket of all) if (!socket.destroyed) socket.write('a: b\r\n')
    }, 200)
    onTestFinished(() => clearInterval(drip))
    for (let i = 0; i < 5; i++) {
      expect((await send(`${server.url}/v1/systems/plant/samples`, 'POST', { values: [i, 1] })).status).toBe(200)
    }
    await expect.poll(() => all.every(({ closed }) => closed)).toBe(true)
  })

  it('that keep every connection at work are told when to come back, and health is still answered', async () => {
    const server = await localServer({ limits: { connections: 10, streams: 100 } })
    const head = 'GET /v1/systems/plant/events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'
    const all = await sockets(server.url, 10, head)
    await expect.poll(() => all.every(({ bytesRead }) => bytesRead > 0)).toBe(true)
    const refused = await fetch(`${server.url}/v1/systems`, { headers: { connection: 'close' } })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect((await fetch(`${server.url}/healthz`, { headers: { connection: 'close' } })).status).toBe(200)
  })

  it('that say nothing at all are cut off', async () => {
    const server = await localServer({ limits: { idleSeconds: 1, headSeconds: 1 } })
    const all = await sockets(server.url, 20, '')
    await expect.poll(() => all.every(({ closed }) => closed)).toBe(true)
  })

  it('behind a proxy are told apart by the address it gives, where it is trusted and nowhere else', async () => {
    const limited = async (trustProxy: boolean, address: (i: number) => string) => {
      const server = await localServer({ trustProxy, limits: { requestsPerSecond: 3 } })
      const ask = (_: unknown, i: number) =>
        fetch(`${server.url}/v1/systems`, { headers: { 'x-forwarded-for': address(i) } })
      const answers = await Promise.all(Array.from({ length: 30 }, ask))
      return answers.some(({ status }) => status === 429)
    }
    const [own, same] = [(i: number) => `10.0.0.${i}`, () => '10.0.0.1']
    expect([await limited(true, own), await limited(true, same), await limited(false, own)]).toEqual([
      ...[false, true, true],
    ])
  })

  it('are limited per second with a true time, and health is not', async () => {
    const server = await localServer({ limits: { requestsPerSecond: 1 } })
    const look = async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => fetch(`${server.url}/v1/systems`)))
      return answers.find(({ status }) => status === 429)?.headers.get('retry-after')
    }
    // A busy machine may take longer than a second for six.
    await expect.poll(look).toBe('1')
    const health = await Promise.all(Array.from({ length: 20 }, () => fetch(`${server.url}/healthz`)))
    expect(health.every(({ status }) => status === 200)).toBe(true)
  })
})
