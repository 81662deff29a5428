import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { serve } from '../serve.ts'
import { ChildServer } from '../testing/child-server.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { PLANT } from '../testing/local-server.ts'
import { send } from '../testing/requests.ts'
import { samplesMade } from '../views/progress.ts'
import { Recovery } from './recovery.ts'

/** A load that takes some time for each system, notes the order, and finds some of them damaged. */
function slow(order: string[], damaged: readonly string[] = []): (system: string) => Promise<void> {
  return async (system) => {
    order.push(system)
    await setTimeout(20)
    if (damaged.includes(system)) throw new Error('a record does not match its hash')
  }
}

describe('recovery', () => {
  it('takes first what is asked for, and leaves out what is damaged', async () => {
    const order: string[] = []
    const recovery = new Recovery(['a', 'b', 'c', 'd', 'e'], slow(order, ['c']))
    expect(recovery.progress).toBe('recovering: 0 of 5 systems are there')
    expect(recovery.hurry('e')).toBeGreaterThanOrEqual(1)
    await recovery.settled('e')
    expect(order.slice(0, 2)).toEqual(['a', 'e'])
    expect(recovery.isPending('e')).toBe(false)
    await recovery.finished
    expect([...recovery.damaged.keys()]).toEqual(['c'])
    expect(recovery.progress).toBeUndefined()
  })

  it('rebuilds as many at once as there are lanes, each system once', async () => {
    const order: string[] = []
    const systems = Array.from({ length: 9 }, (_, i) => `s${i}`)
    let [now, most] = [0, 0]
    const load = async (system: string) => {
      most = Math.max(most, ++now)
      await slow(order)(system)
      now--
    }
    await new Recovery(systems, load, 3).finished
    expect([most, [...order].sort()]).toEqual([3, systems])
  })
})

it('a server answers while it recovers, says how far it is, and has every system in the end', async () => {
  const store = join(temporaryFolder(), 'many.db')
  const systems = Array.from({ length: 12 }, (_, i) => ({ ...PLANT, id: `s${i}` }))
  const killed = await ChildServer.start({ store, port: 0, systems })
  const lines = '{"values":[1,2]}\n'.repeat(1_000)
  const stream = { 'content-type': 'application/x-ndjson' }
  await Promise.all(systems.map(({ id }) => send(`${killed.url}/v1/systems/${id}/samples`, 'POST', lines, stream)))
  await killed.kill()

  const server = await serve({ store, port: 0, logLevel: 'silent', systems })
  const ready = await fetch(`${server.url}/readyz`)
  expect(await ready.json()).toMatchObject({ status: 503, detail: expect.stringMatching(/recovering: \d+ of 12/) })
  expect(Number(ready.headers.get('retry-after'))).toBeGreaterThan(0)
  const list = (await send(`${server.url}/v1/systems`, 'GET')).body.systems
  expect(list.length).toBe(12)
  expect(list.find(({ ready }: { ready: boolean }) => !ready)?.reason).toContain('recovering')
  const early = await fetch(`${server.url}/v1/systems/s9`)
  expect(early.status).toBe(503)
  expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(0)
  await server.recovered
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  for (const { id } of systems) {
    expect(await server.service.get(id).read(samplesMade())).toBe(1_000)
  }
  await server.stop()
})
