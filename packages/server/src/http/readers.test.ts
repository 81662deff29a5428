import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { extensionsOf } from '@pb-oel/core'
import { beforeAll, describe, expect, it } from 'vitest'
import broken, { BREAKS } from '../testing/broken-method.ts'
import { followEvents } from '../testing/follow.ts'
import { localServer } from '../testing/local-server.ts'
import { send } from '../testing/requests.ts'

const SAMPLES = 12_000
const MODULE = './broken-method.ts'
const server = await localServer({
  limits: { requestsPerSecond: 1e9 },
  snapshotEvery: 1_000_000,
  extensions: extensionsOf({ [MODULE]: { default: broken } }),
  moduleFiles: { [MODULE]: pathToFileURL(join(import.meta.dirname, '../testing/broken-method.ts')).href },
})
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

  it('while a past state is replayed', async () => {
    let under = true
    const asked = send(`${plant}/state?at=${SAMPLES + 1}`, 'GET').finally(() => (under = false))
    const samples = await samplesWhile(() => under)
    expect(SAMPLES / samples).toBeLessThan(BETWEEN)
    expect((await asked).body.system.sequence).toBe(SAMPLES + 1)
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

it('replays beyond the bound are turned away with a time to come back, and end when nobody waits for them', async () => {
  const state = async () => {
    const response = await fetch(`${plant}/state?at=3`)
    await response.text()
    return response
  }
  await server.service.sample('plant', { values: [BREAKS.loops, 2] }, 'test')
  const gone = new AbortController()
  // The model of this question never comes to an end.
  const asked = Array.from({ length: 5 }, () =>
    fetch(`${plant}/what-if`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ method: MODULE }),
      signal: gone.signal,
    }).catch((error: Error) => error.name),
  )
  await expect.poll(async () => (await state()).status).toBe(503)
  expect(Number((await state()).headers.get('retry-after'))).toBeGreaterThan(0)
  gone.abort()
  expect(await Promise.all(asked)).toEqual(Array(5).fill('AbortError'))
  await expect.poll(async () => (await state()).status).toBe(200)
})
