import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { SetupError } from './errors.ts'
import { SqliteLog, SqliteLogReader } from './log/sqlite-log.ts'
import { replaySystem } from './replay/replay.ts'
import { serve } from './serve.ts'
import { ChildServer, freePort } from './testing/child-server.ts'
import { temporaryFolder } from './testing/folder.ts'
import { PLANT } from './testing/local-server.ts'
import { send } from './testing/requests.ts'
import { samplesMade } from './views/progress.ts'

/** PB_OEL_SOAK=1 asks for the full number. */
const KILLS = process.env.PB_OEL_SOAK ? 100 : 8
const folder = temporaryFolder()

interface Acknowledged {
  sequence: number
  assessment: number
}

/** Clients that send, and send again under the same key until it is acknowledged, whatever happens to the server. */
class Clients {
  readonly acknowledged = new Map<string, Acknowledged>()
  private readonly url: string
  private readonly open: number[] = []
  private stopped = false
  private number = 0

  constructor(url: string) {
    this.url = `${url}/v1/systems/plant`
  }

  async run(): Promise<void> {
    await Promise.all([this.single(), this.single(), this.single(), this.lines(), this.answers(), this.answers()])
  }

  stop(): void {
    this.stopped = true
  }

  private sample(): { key: string; values: number[] } {
    const n = this.number++
    return { key: `s${n}`, values: [n % 7, (n * n) % 11, -n % 5, n / 3] }
  }

  private async single(): Promise<void> {
    while (!this.stopped) {
      const sample = this.sample()
      const answer = await this.until(() => send(`${this.url}/samples`, 'POST', sample))
      if (answer) this.keep(sample.key, answer)
    }
  }

  private async lines(): Promise<void> {
    while (!this.stopped) {
      const samples = Array.from({ length: 40 }, () => this.sample())
      const text = samples.map((sample) => `${JSON.stringify(sample)}\n`).join('')
      const answer = await this.until(() =>
        send(`${this.url}/samples`, 'POST', text, { 'content-type': 'application/x-ndjson' }),
      )
      // Only what was answered is acknowledged; a stream that broke off is sent again as a whole.
      const answers = answer?.trim().split('\n') ?? []
      for (const [i, line] of answers.entries()) this.keep(samples[i].key, JSON.parse(line))
    }
  }

  private async answers(): Promise<void> {
    while (!this.stopped) {
      const assessment = this.open.shift()
      if (assessment === undefined) {
        await setTimeout(5)
        continue
      }
      const key = `f${assessment}`
      const body = {
        key,
        assessment,
        ...(assessment % 4 === 0
          ? { kind: 'label', level: assessment % 3 }
          : { kind: assessment % 2 ? 'confirm' : 'reject' }),
      }
      const answer = await this.until(() => send(`${this.url}/feedback`, 'POST', body))
      if (answer) this.keep(key, answer)
    }
  }

  private keep(key: string, { sequence, assessment }: Acknowledged): void {
    this.acknowledged.set(key, { sequence, assessment })
    if (key.startsWith('s') && assessment % 3 !== 0) this.open.push(assessment)
    if (this.open.length > 200) this.open.splice(0, 100)
  }

  // biome-ignore lint/suspicious/noExplicitAny: the answer of any route
  private async until(request: () => Promise<{ status: number; body: any }>): Promise<any> {
    while (!this.stopped) {
      try {
        const { status, body } = await request()
        if (status === 200) return body
        // Too late for this one: other clients were faster than the queue is long.
        if (status === 404) return undefined
        expect(status).toBe(503)
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
      }
      await setTimeout(20)
    }
    return undefined
  }
}

it(`survives ${KILLS} kills at random moments under load: everything acknowledged is there, once, and the state is that of an uninterrupted run`, {
  timeout: 1_200_000,
}, async () => {
  const store = join(folder, 'crash.db')
  const port = await freePort()
  const options = { store, port, snapshotEvery: 400 }
  let server = await ChildServer.start(options)
  await send(`${server.url}/v1/systems`, 'POST', {
    id: 'plant',
    channels: ['a', 'b', 'c', 'd'],
    levels: ['safe', 'odd', 'unsafe'],
    options: { experts: 3 },
    alarm: { level: 1, clearBelow: 1 },
  })
  const clients = new Clients(server.url)
  const running = clients.run()
  for (let kill = 0; kill < KILLS; kill++) {
    await setTimeout(30 + Math.random() * 500)
    await server.kill()
    server = await ChildServer.start(options)
  }
  await setTimeout(300)
  clients.stop()
  await running
  const live = (await send(`${server.url}/v1/systems/plant/state`, 'GET')).body.stateHash
  await server.kill()

  const log = await SqliteLogReader.openReader(store)
  const keys = new Map<string, { sequence: number; assessment: number }>()
  const last = (await log.extent('plant'))?.last ?? 0
  for (let from = 1; from <= last; from += 1000) {
    const records = await log.read('plant', { from, to: from + 1000, limit: 1001 })
    records.slice(0, 1000).forEach(({ sequence, kind, body }, i) => {
      const { key, assessment } = JSON.parse(body)
      if (key === undefined) return
      expect(keys.has(key)).toBe(false)
      keys.set(key, {
        sequence,
        assessment: kind === 'sample' ? JSON.parse(records[i + 1].body).assessment : assessment,
      })
    })
  }
  expect(clients.acknowledged.size).toBeGreaterThan(20 * KILLS)
  for (const [key, acknowledged] of clients.acknowledged) expect([key, keys.get(key)]).toEqual([key, acknowledged])

  const report = await replaySystem(log, 'plant')
  await log.close()
  expect(report.difference).toBeUndefined()
  expect(report.stateHash).toBe(live)
  console.log(`${KILLS} kills, ${clients.acknowledged.size} acknowledged, ${last} records, state ${live}`)
})

it('a second server is refused and told who has it; readers are not', async () => {
  const store = join(folder, 'locked.db')
  const first = await ChildServer.start({ store, port: 0, systems: [PLANT] })
  const sample = () => send(`${first.url}/v1/systems/plant/samples`, 'POST', { values: [1, 2] })
  for (let i = 0; i < 5; i++) await sample()
  await expect(ChildServer.start({ store, port: 0 })).rejects.toThrow(`in use by process ${first.pid} on `)
  await expect(SqliteLog.open(store)).rejects.toThrow(SetupError)
  const reader = await SqliteLogReader.openReader(store)
  expect((await replaySystem(reader, 'plant')).assessments).toBe(5)
  await reader.close()
  expect((await sample()).status).toBe(200)

  // The lock ends with the process, also when that is killed or hangs and is killed.
  await first.kill()
  const second = await ChildServer.start({ store, port: 0 })
  expect((await send(`${second.url}/v1/systems/plant`, 'GET')).body.samples).toBe(6)
  second.pause()
  await expect(SqliteLog.open(store)).rejects.toThrow(`process ${second.pid}`)
  await second.kill()
  const third = await ChildServer.start({ store, port: 0 })
  expect(await third.stop()).toBe(0)
})

it('a server answers while it recovers, says how far it is, and has every system in the end', async () => {
  const store = join(folder, 'many.db')
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
