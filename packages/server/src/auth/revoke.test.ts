import { describe, expect, it } from 'vitest'
import { localServer } from '../testing/local-server.ts'
import { send } from '../testing/requests.ts'

const server = await localServer()
const tokens = `${server.url}/v1/tokens`
const plant = `${server.url}/v1/systems/plant`
const open = await fetch(`${plant}/events`)
const admin = (await send(tokens, 'POST', { name: 'root', roles: ['admin'] })).body.token
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const make = async (more: object) => (await send(tokens, 'POST', { name: 'v', ...more }, bearer(admin))).body

/** Waits for the end of a stream; one that does not end fails by the limit of the test. */
const ended = (response: Response) => response.text().catch(() => {})
const status = async (token: string) => (await send(plant, 'GET', undefined, bearer(token))).status

/** Tries with more and more seconds until they were enough for a busy machine; a second is enough for an idle one. */
async function withEnoughTime<T>(attempt: (seconds: number) => Promise<T | undefined>): Promise<T> {
  for (let seconds = 1; ; seconds *= 2) {
    const done = await attempt(seconds)
    if (done !== undefined) return done
  }
}

describe('a right that ends', () => {
  it('ends the streams that were opened before the first token', async () => {
    await ended(open)
  })

  it('by revoking: open streams of events and of lines end at once', async () => {
    const { id, token } = await make({ roles: ['viewer', 'sensor'] })
    const events = await fetch(`${plant}/events`, { headers: bearer(token) })
    const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{"values":[1,2]}\n')) })
    const headers = { ...bearer(token), 'content-type': 'application/x-ndjson' }
    const lines = fetch(`${plant}/samples`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
    const streaming = lines.then(ended, () => {})
    await expect.poll(async () => (await server.service.get('plant').overview()).samples).toBe(1)
    expect((await send(`${tokens}/${id}`, 'DELETE', undefined, bearer(admin))).status).toBe(204)
    await ended(events)
    await streaming
    expect(await status(token)).toBe(401)
  })

  it('by time', async () => {
    const { token, events } = await withEnoughTime(async (seconds) => {
      const { token } = await make({ roles: ['viewer'], expires: Date.now() + 1000 * seconds })
      const events = await fetch(`${plant}/events`, { headers: bearer(token) })
      return events.status === 200 ? { token, events } : undefined
    })
    await ended(events)
    expect(await status(token)).toBe(401)
    expect((await send(tokens, 'POST', { name: 'v', roles: ['viewer'], expires: 5 }, bearer(admin))).status).toBe(409)
  })

  it('by rotation: the new token works, the former one only for its grace', async () => {
    const rotated = async (id: string, graceSeconds: number) =>
      (await send(`${tokens}/${id}/rotate`, 'POST', { graceSeconds }, bearer(admin))).body
    const { token, second } = await withEnoughTime(async (seconds) => {
      const { id, token } = await make({ roles: ['viewer'] })
      const second = await rotated(id, seconds)
      return (await status(token)) === 200 ? { token, second } : undefined
    })
    expect(await status(second.token)).toBe(200)
    await expect.poll(() => status(token)).toBe(401)
    const third = await rotated(second.id, 0)
    expect([await status(second.token), await status(third.token)]).toEqual([401, 200])
  })
})

it('wrong tokens from an address do not lock out the valid ones there', async () => {
  const wrong = `pboel_${'0'.repeat(12)}_${'x'.repeat(43)}`
  const answers = await Promise.all(Array.from({ length: 15 }, () => fetch(plant, { headers: bearer(wrong) })))
  const limited = answers.find(({ status }) => status === 429)
  expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await send(plant, 'GET', undefined, bearer(admin))).status).toBe(200)
})
