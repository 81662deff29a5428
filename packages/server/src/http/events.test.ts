import { describe, expect, it } from 'vitest'
import { type FollowedEvent, followEvents } from '../testing/follow.ts'
import { localServer } from '../testing/local-server.ts'
import { send } from '../testing/requests.ts'

const server = await localServer({ limits: { streams: 3 } })
const plant = `${server.url}/v1/systems/plant`

/** The first events of a stream; `meanwhile` runs once it is open. */
async function follow(
  path: string,
  enough: number,
  headers: Record<string, string> = {},
  meanwhile = async () => {},
): Promise<FollowedEvent[]> {
  const events: FollowedEvent[] = []
  let working: Promise<void> | undefined
  const stream = followEvents(`${plant}/events${path}`, headers, () => {
    working = meanwhile()
  })
  for await (const event of stream) if (events.push(event) >= enough) break
  await working
  return events
}

const sample = () => send(`${plant}/samples`, 'POST', { values: [1, 2] })

describe('events', () => {
  it('come as records reach the disk, and go on without gap or repetition after Last-Event-ID', async () => {
    await sample()
    const live = await follow('', 3, {}, async () => {
      for (let i = 0; i < 3; i++) await sample()
    })
    expect(live.map(({ event, id }) => [event, id])).toEqual([
      ['assessment', 5],
      ['assessment', 7],
      ['assessment', 9],
    ])
    expect(live[0].data).toMatchObject({ sequence: 4, assessment: 1, values: [1, 2], by: 'local' })
    await sample()
    const rest = await follow('', 4, { 'last-event-id': '5' }, async () => void (await sample()))
    expect(rest.map(({ id }) => id)).toEqual([7, 9, 11, 13])
  })

  it('of chosen kinds, from a chosen place', async () => {
    const events = await follow('?after=0&kinds=created,sample', 4)
    expect(events.map(({ event }) => event)).toEqual(['created', 'sample', 'sample', 'sample'])
  })

  it('have no gap when thousands are caught up under load', async () => {
    const lines = '{"values":[1,2]}\n'.repeat(1500)
    const load = async () =>
      void (await send(`${plant}/samples`, 'POST', lines, { 'content-type': 'application/x-ndjson' }))
    await load()
    const events = await follow('?after=0&kinds=assessment', 3000, {}, load)
    expect(events.map(({ data }) => data.assessment)).toEqual(Array.from({ length: 3000 }, (_, i) => i))
  })

  it('are told once each to a client that breaks off and comes back under load', async () => {
    const from = (await server.service.get('plant').overview()).samples
    const seen: number[] = []
    let [last, load]: [string | undefined, Promise<unknown> | undefined] = [undefined, undefined]
    const lines = '{"values":[3,4]}\n'.repeat(3_000)
    while (seen.length < 3_000) {
      const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': last }
      const stream = followEvents(`${plant}/events`, headers, () => {
        load ??= send(`${plant}/samples`, 'POST', lines, { 'content-type': 'application/x-ndjson' })
      })
      for await (const { id, data } of stream) {
        last = String(id)
        if (seen.push(data.assessment) % 230 === 0 || seen.length >= 3_000) break
      }
    }
    await load
    expect(seen.slice(0, 3_000)).toEqual(Array.from({ length: 3_000 }, (_, i) => from + i))
  })

  it.each(['?after=-1', '?after=x', '?after=1e99', '?kinds=nonsense', '?kinds=sample,', '?kinds='])(
    'refuse %s',
    async (query) => {
      expect(await send(`${plant}/events${query}`, 'GET')).toMatchObject({
        status: 400,
        type: 'application/problem+json',
      })
    },
  )

  it.each(['x', '-1', '1.5', '9'.repeat(30)])('refuse Last-Event-ID %s', async (id) => {
    expect((await send(`${plant}/events`, 'GET', undefined, { 'last-event-id': id })).status).toBe(400)
  })

  it('streams are limited in number, and one that ends makes room', async () => {
    const aborts = Array.from({ length: 3 }, () => new AbortController())
    await Promise.all(aborts.map(({ signal }) => fetch(`${plant}/events`, { signal })))
    expect((await send(`${plant}/events`, 'GET')).status).toBe(429)
    aborts[0].abort()
    const again = new AbortController()
    const open = async () => (await fetch(`${plant}/events`, { signal: again.signal })).status
    await expect.poll(open, { timeout: 10_000 }).toBe(200)
    for (const abort of [...aborts, again]) abort.abort()
  })
})
