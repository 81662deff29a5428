import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { followEvents } from '../testing/follow.ts'
import { localServer } from '../testing/local-server.ts'
import { send } from '../testing/requests.ts'

const SAMPLES = 12_000
const server = await localServer({ limits: { requestsPerSecond: 1e9 }, snapshotEvery: 1_000_000 })
const plant = `${server.url}/v1/systems/plant`

beforeAll(async () => {
  const lines = '{"values":[1,2]}\n'.repeat(SAMPLES)
  await send(`${plant}/samples`, 'POST', lines, { 'content-type': 'application/x-ndjson' })
})

/**
 * How many records readers may be given between two samples. A reader that stopped the samples was given thousands.
 * What readers cost in time is measured by `pb-oel bench server`, on a machine that does nothing else.
 */
const BETWEEN = 1_000

/** Samples while `busy` says so, each answered before the next is sent. */
async function samplesWhile(busy: () => boolean): Promise<number> {
  let samples = 0
  for (; busy(); samples++) await server.service.sample('plant', { values: [samples % 7, 2] }, 'test')
  return samples
}

describe('samples go on', () => {
  it('while ten readers catch up from the beginning', async () => {
    let [open, events] = [10, 0]
    const readers = Array.from({ length: 10 }, async () => {
      for await (const event of followEvents(`${plant}/events?after=0&kinds=assessment`)) {
        events++
        if (event.data.assessment >= SAMPLES - 1) break
      }
      open--
    })
    const samples = await samplesWhile(() => open === 10)
    expect(events).toBeGreaterThan(SAMPLES)
    expect(events / samples).toBeLessThan(BETWEEN)
    await Promise.all(readers)
  })

  it('while a past state is replayed, which ends when nobody waits for it any more', async () => {
    let under = true
    const asked = send(`${plant}/state?at=${SAMPLES + 1}`, 'GET').finally(() => (under = false))
    const samples = await samplesWhile(() => under)
    expect(SAMPLES / samples).toBeLessThan(BETWEEN)
    expect((await asked).body.system.sequence).toBe(SAMPLES + 1)

    const gone = new AbortController()
    const left = fetch(`${plant}/state?at=${2 * SAMPLES + 1}`, { signal: gone.signal }).catch(() => {})
    await setTimeout(100)
    gone.abort()
    await left
    under = true
    const short = send(`${plant}/state?at=3`, 'GET').finally(() => (under = false))
    // The next one does not wait for the one that nobody wants, which would have taken twice as long as the first.
    expect(await samplesWhile(() => under)).toBeLessThan(samples)
    expect((await short).body.system.samples).toBe(1)
  })

  it('a reader that reads slowly misses nothing and sees nothing twice', async () => {
    const seen: number[] = []
    let load: Promise<unknown> = Promise.resolve()
    const from = (await server.service.get('plant').overview()).samples
    const lines = '{"values":[1,2]}\n'.repeat(4_000)
    const stream = followEvents(`${plant}/events?kinds=assessment`, {}, () => {
      load = send(`${plant}/samples`, 'POST', lines, { 'content-type': 'application/x-ndjson' })
    })
    for await (const { data } of stream) {
      if (seen.push(data.assessment) % 500 === 0) await setTimeout(100)
      if (seen.length === 4_000) break
    }
    await load
    expect(seen).toEqual(Array.from({ length: 4_000 }, (_, i) => from + i))
  })
})

it('readers beyond the bound are turned away with a time to come back', async () => {
  const answers = await Promise.all(
    Array.from({ length: 9 }, () =>
      fetch(`${plant}/state?at=2000`).then(({ status, headers }) => ({ status, headers })),
    ),
  )
  const refused = answers.filter(({ status }) => status === 503)
  expect(refused.length).toBeGreaterThan(0)
  for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})
