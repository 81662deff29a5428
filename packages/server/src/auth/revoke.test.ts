import { setTimeout } from 'node:timers/promises'
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

/** Whether a stream ends within twenty seconds. */
async function ends(response: Response): Promise<boolean> {
  const end = response.text().then(
    () => true,
    () => true,
  )
  return Promise.race([end, setTimeout(20_000, false, { ref: false })])
}

describe('a right that ends', () => {
  it('ends the streams that were opened before the first token', async () => {
    expect(await ends(open)).toBe(true)
  })

  it('by revoking: open streams of events and of lines end at once', async () => {
    const { id, token } = await make({ roles: ['viewer', 'sensor'] })
    const events = await fetch(`${plant}/events`, { headers: bearer(token) })
    const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{"values":[1,2]}\n')) })
    const headers = { ...bearer(token), 'content-type': 'application/x-ndjson' }
    const lines = fetch(`${plant}/samples`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
    const streaming = lines.then(ends, () => true)
    await setTimeout(300)
    expect((await send(`${tokens}/${id}`, 'DELETE', undefined, bearer(admin))).status).toBe(204)
    expect(await ends(events)).toBe(true)
    expect(await streaming).toBe(true)
    expect((await send(plant, 'GET', undefined, bearer(token))).status).toBe(401)
  })

  it('by time', async () => {
    const { token } = await make({ roles: ['viewer'], expires: Date.now() + 4_000 })
    const events = await fetch(`${plant}/events`, { headers: bearer(token) })
    expect(events.status).toBe(200)
    expect(await ends(events)).toBe(true)
    expect((await send(plant, 'GET', undefined, bearer(token))).status).toBe(401)
    expect((await send(tokens, 'POST', { name: 'v', roles: ['viewer'], expires: 5 }, bearer(admin))).status).toBe(409)
  })

  it('by rotation: the new token works, the former one only for its grace', async () => {
    const { id, token } = await make({ roles: ['viewer'] })
    const at = (grace: number, of: string) =>
      send(`${tokens}/${of}/rotate`, 'POST', { graceSeconds: grace }, bearer(admin))
    const second = (await at(4, id)).body
    const status = async (text: string) => (await send(plant, 'GET', undefined, bearer(text))).status
    expect([await status(token), await status(second.token)]).toEqual([200, 200])
    while ((await status(token)) !== 401) await setTimeout(200)
    const third = (await at(0, second.id)).body
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
