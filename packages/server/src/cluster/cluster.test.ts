import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { encodeBody } from '@pb-oel/protocol'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { copyLog } from '../log/copy-log.ts'
import { shardOf } from '../log/nats/names.ts'
import { NatsLog } from '../log/nats/nats-log.ts'
import { NatsLogReader } from '../log/nats/nats-log-reader.ts'
import type { NewRecord } from '../log/record.ts'
import { SqliteLog, SqliteLogReader } from '../log/sqlite-log.ts'
import { replaySystem } from '../replay/replay.ts'
import type { ServeOptions } from '../start/serve-options.ts'
import { ChildServer } from '../testing/child-server.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { PLANT } from '../testing/local-server.ts'
import { NATS_SERVER, NatsCluster } from '../testing/nats-cluster.ts'
import { type Answer, send } from '../testing/requests.ts'

const LEASE = 2
type Named = { id: string }
const SYSTEMS = ['s0', 's1', 's2', 's3', 's4', 's5', 's6', 's7']

describe.skipIf(!NATS_SERVER)('a cluster of workers (needs nats-server 2.11)', () => {
  const folder = temporaryFolder()
  let nats: NatsCluster
  let number = 0
  let workers: ChildServer[] = []

  beforeAll(async () => {
    nats = await NatsCluster.start(folder, 1)
  })
  afterEach(async () => {
    for (const worker of workers) worker.resume()
    await Promise.all(workers.filter((worker) => worker.running).map((worker) => worker.kill()))
    workers = []
  })
  afterAll(() => nats?.stop())

  function options(): ServeOptions {
    return {
      port: 0,
      snapshotEvery: 100,
      backups: { folder: mkdtempSync(join(folder, 'backups-')) },
      nats: { servers: nats.url, cluster: `cluster-${number}`, shards: 6, leaseSeconds: LEASE },
    }
  }

  async function start(count: number): Promise<void> {
    number++
    workers = await Promise.all(Array.from({ length: count }, () => ChildServer.start(options())))
    await balanced(count)
  }

  /** Waits until so many workers share all shards and have loaded them. */
  async function balanced(count: number): Promise<void> {
    await until(async () => {
      const views = await Promise.all(
        workers.filter((worker) => worker.running).map((worker) => send(`${worker.url}/v1/cluster`, 'GET')),
      )
      return (
        views.length === count &&
        views.every(({ body }) => body.valid && Object.keys(body.workers).length === count) &&
        views.reduce((sum, { body }) => sum + body.ready.length, 0) === 6 &&
        views.every(({ body }) => body.ready.length <= Math.ceil(6 / count))
      )
    })
  }

  async function makeSystems(): Promise<void> {
    for (const [i, id] of SYSTEMS.entries()) {
      const { url } = workers[i % workers.length]
      const { status } = await steady(() => send(`${url}/v1/systems`, 'POST', { ...PLANT, id }))
      // An attempt whose answer was lost may have made it.
      expect([201, 409]).toContain(status)
    }
  }

  const sample = (worker: ChildServer, id: string, key: string) =>
    send(`${worker.url}/v1/systems/${id}/samples`, 'POST', { key, values: [key.length, Number(key.slice(1)) % 7] })

  it('deletes a system at whichever worker is asked, frees its name, and says so in the log of the server', async () => {
    await start(2)
    await makeSystems()
    for (const [i, worker] of workers.entries()) {
      const system = `${worker.url}/v1/systems/s${i}`
      expect((await steady(() => send(system, 'DELETE'))).body.detail).toContain(`confirm=s${i}`)
      expect((await steady(() => send(`${system}?confirm=s${i}`, 'DELETE'))).body).toMatchObject({ system: `s${i}` })
      for (const { url } of workers) {
        expect((await steady(() => send(`${url}/v1/systems/s${i}`, 'GET'))).status).toBe(404)
      }
    }
    await steady(() => send(`${workers[0].url}/v1/systems`, 'POST', { ...PLANT, id: 's0' }))
    expect((await steady(() => sample(workers[1], 's0', 'k1'))).body.assessment).toBe(0)
    const log = await NatsLogReader.openReader(options().nats as { servers: string })
    expect((await log.read('$server', { kinds: ['deletion'] })).map(({ body }) => JSON.parse(body).system)).toEqual([
      's0',
      's1',
    ])
    await log.close()
  })

  it('simulates at the worker that has the system, and goes on at another when that one is gone', async () => {
    number++
    const simulate = { system: 'dive', speed: 50, answers: 0.5, labels: 0.1, beside: ['majority', 'no-change'] }
    const started = [ChildServer.start({ ...options(), simulate }), ChildServer.start({ ...options(), simulate })]
    workers = await Promise.all(started)
    await balanced(2)
    /** How many samples the system with the fewest has had. */
    const made = async (worker: ChildServer) => {
      const { systems } = (await send(`${worker.url}/v1/systems`, 'GET')).body
      return systems.length < 3 ? 0 : Math.min(...systems.map(({ samples }: { samples: number }) => samples))
    }
    for (const worker of workers) await until(async () => (await made(worker)) > 20)
    for (const { url } of workers) {
      expect((await steady(() => send(`${url}/v1/simulation`, 'GET'))).body.speed).toBe(50)
    }
    const { shards, workers: urls } = (await send(`${workers[0].url}/v1/cluster`, 'GET')).body
    const owner = workers.findIndex(({ url }) => urls[shards[shardOf('dive', 6)].owner] === url)
    const heir = workers[1 - owner]
    let before = 0
    // A list that is asked for while shards move may be short.
    await until(async () => {
      before = await made(heir)
      return before > 20
    })
    await workers[owner].kill()
    await until(async () => (await made(heir)) > before + 20)
    const slower = await steady(() => send(`${heir.url}/v1/simulation`, 'PATCH', { speed: 1 }))
    expect(slower.body.speed).toBe(1)
    const log = await NatsLogReader.openReader(options().nats as { servers: string })
    // Each system got the same samples, though two workers fed them in turns.
    const fed = await Promise.all(
      ['dive', 'dive-majority', 'dive-no-change'].map(async (id) => {
        expect((await replaySystem(log, id)).difference).toBeUndefined()
        const samples = await log.read(id, { kinds: ['sample'], limit: before })
        return samples.map(({ body }) => JSON.parse(body).values)
      }),
    )
    expect(fed[0].length).toBe(before)
    expect([fed[1], fed[2]]).toEqual([fed[0], fed[0]])
    await log.close()
  })

  it('answers for every system at every worker: single samples, lines, points, events, back-ups and the list', async () => {
    await start(3)
    await makeSystems()
    for (const worker of workers) {
      // A list that is asked for while shards move may be short.
      const list = async () => (await send(`${worker.url}/v1/systems`, 'GET')).body.systems.map(({ id }: Named) => id)
      await expect.poll(list).toEqual(SYSTEMS)
      for (const id of SYSTEMS) {
        const { status, body } = await steady(() => sample(worker, id, `k${workers.indexOf(worker)}`))
        expect([status, body.assessment]).toEqual([200, workers.indexOf(worker)])
      }
    }
    const lines = Array.from({ length: 50 }, (_, i) => `{"values":[${i},1]}\n`).join('')
    for (const worker of workers) {
      const type = { 'content-type': 'application/x-ndjson' }
      const stream = () => send(`${worker.url}/v1/systems/s0/samples`, 'POST', lines, type)
      // One that is cut short because the shard moves is sent again.
      await expect.poll(async () => (await stream()).body.match(/"assessment":/g)?.length).toBe(50)
    }
    for (const [i, worker] of workers.entries()) {
      const body = `m ${PLANT.channels.map((name) => `${name}=${i}`).join()} ${i}`
      const write = () => send(`${worker.url}/api/v2/write?bucket=s2`, 'POST', body, { 'content-type': 'text/plain' })
      expect((await steady(write)).status).toBe(204)
    }
    const aborter = new AbortController()
    for (const worker of workers) {
      const begin = async () => {
        const events = await fetch(`${worker.url}/v1/systems/s1/events?after=0`, { signal: aborter.signal })
        const { value } = (await events.body?.getReader().read()) ?? {}
        return Buffer.from(value ?? []).toString()
      }
      await expect.poll(begin).toContain('retry: 1000')
    }
    aborter.abort()
    expect((await steady(() => send(`${workers[0].url}/v1/systems/none`, 'GET'))).status).toBe(404)
    const { file } = (await send(`${workers[0].url}/v1/backup`, 'POST')).body
    for (const { url } of workers) {
      const { backups } = (await send(`${url}/v1/backups`, 'GET')).body
      expect(backups).toMatchObject([{ file }])
      const copy = await fetch(`${url}/v1/backups/${file}`)
      expect([copy.status, (await copy.arrayBuffer()).byteLength]).toEqual([200, backups[0].bytes])
    }
    const again = await steady(() => send(`${workers[1].url}/v1/systems`, 'POST', { ...PLANT, id: 's0' }))
    expect(again.status).toBe(409)
  })

  it('clones a system at any worker, with a state larger than a message, as a single server does', async () => {
    await start(2)
    // As many networks as make a state of 2 MB.
    const large = { ...PLANT, id: 'original', options: { experts: 36, pending: 64 } }
    await steady(() => send(`${workers[0].url}/v1/systems`, 'POST', large))
    for (let i = 0; i < 8; i++) await steady(() => sample(workers[i % 2], 'original', `k${i}`))
    const clones = ['c0', 'c1', 'c2']
    expect(new Set(clones.map((id) => shardOf(id, 6))).size).toBe(3)
    for (const [i, id] of clones.entries()) {
      const clone = () => send(`${workers[i % 2].url}/v1/systems/original/clone`, 'POST', { id, state: i > 0 })
      const { status, body } = await steady(clone)
      expect([status, body.samples]).toEqual([201, i > 0 ? 8 : 0])
      expect((await steady(clone)).status).toBe(409)
    }
    const next = async (id: string) => (await steady(() => sample(workers[0], id, 'n0'))).body.probabilities
    for (const id of clones.slice(1)) expect(await next(id)).toEqual(await next('original'))
    const unknown = await steady(() => send(`${workers[0].url}/v1/systems/none/clone`, 'POST', { id: 'c9' }))
    expect(unknown.status).toBe(404)
    await verify(workers[1], ['original', ...clones])
    await copyThereAndBack(clones.slice(1))
  })

  it('goes on with the log of the previous version, and refuses only the systems that a later one has written', async () => {
    number++
    const old = join(folder, 'old.db')
    const fixture = join(import.meta.dirname, '../replay/fixtures/log-version-1')
    writeFileSync(old, gunzipSync(readFileSync(`${fixture}.db.gz`)))
    const expected: Record<string, { stateHash: string }> = JSON.parse(readFileSync(`${fixture}.json`, 'utf8'))
    const systems = Object.keys(expected)
    const log = await NatsLog.open(options().nats as { servers: string })
    await copyLog(await SqliteLogReader.openReader(old), log)
    const configuration = { ...JSON.parse((await log.pick(systems[0], [1]))[0].body).configuration, method: 'majority' }
    const created = (more: object) => ({
      ...{ time: 1, kind: 'created' as const },
      body: encodeBody<'created'>({ configuration: { ...configuration, options: {}, ...more }, by: 'test' }),
    })
    const later: Record<string, [NewRecord[], string]> = {
      edition: [[created({ edition: 3 })], 'record 1 has edition 3'],
      setting: [[created({ foresight: true })], 'record 1 has a setting "foresight"'],
      kind: [[created({}), { time: 2, kind: 'prophecy' as never, body: '{}' }], 'record 2 is a "prophecy" record'],
      version: [[created({}), { time: 2, kind: 'comment', body: '{"version":3}' }], 'version 3'],
    }
    for (const [id, [records]] of Object.entries(later)) await log.append(id, 1, records)
    await log.close()
    workers = [await ChildServer.start(options())]
    await balanced(1)
    const state = async (id: string) =>
      (await steady(() => send(`${workers[0].url}/v1/systems/${id}/state`, 'GET'))).body
    for (const id of systems) expect([id, (await state(id)).stateHash]).toEqual([id, expected[id].stateHash])
    for (const [id, [, reason]] of Object.entries(later)) {
      const { status, body } = await send(`${workers[0].url}/v1/systems/${id}`, 'GET')
      expect([id, status, body.detail]).toEqual([id, 503, expect.stringContaining(reason)])
    }
    // The next worker takes over what this one has added.
    for (const id of systems) {
      const system = `${workers[0].url}/v1/systems/${id}`
      const { channels } = (await steady(() => send(system, 'GET'))).body.configuration
      const values = channels.map(() => 1)
      expect((await steady(() => send(`${system}/samples`, 'POST', { values }))).status).toBe(200)
    }
    await workers[0].kill()
    workers = [await ChildServer.start(options())]
    await balanced(1)
    await verify(workers[0], systems)
  })

  it('takes over from a worker that is killed, once its lease has run out', async () => {
    await start(3)
    await makeSystems()
    for (const id of SYSTEMS) for (let i = 0; i < 30; i++) await steady(() => sample(workers[0], id, `k${i}`))
    const [victim, ...rest] = workers
    await victim.kill()
    const killed = performance.now()
    await Promise.all(SYSTEMS.map((id) => until(async () => (await sample(rest[0], id, 'k99')).status === 200)))
    // Its last beat was up to an eighth of the lease before its end.
    const seconds = (performance.now() - killed) / 1000 - LEASE + LEASE / 8
    console.log(`taken over at most ${seconds.toFixed(2)} s after the lease ran out`)
    for (const id of SYSTEMS) {
      const again = await steady(() => sample(rest[1], id, 'k7'))
      expect([again.status, again.body.repeated, again.body.assessment]).toEqual([200, true, 7])
    }
    await verify(rest[0])
  })

  it('shares anew when a worker comes, and when one goes it leaves nothing to replay', async () => {
    await start(1)
    await makeSystems()
    for (const id of SYSTEMS) for (let i = 0; i < 20; i++) await steady(() => sample(workers[0], id, `k${i}`))
    workers.push(await ChildServer.start(options()))
    await balanced(2)
    const [old, young] = workers
    expect(await old.stop()).toBe(0)
    await balanced(1)
    for (const id of SYSTEMS) expect((await steady(() => sample(young, id, 'k20'))).body.assessment).toBe(20)
    await verify(young)
  })

  it('does not let a worker write that was paused beyond its lease', async () => {
    await start(2)
    await makeSystems()
    const [paused, heir] = workers
    for (const id of SYSTEMS) await steady(() => sample(paused, id, 'k0'))
    await balanced(2)
    const { ready, shards, session } = (await send(`${paused.url}/v1/cluster`, 'GET')).body
    expect(ready.length).toBe(3)
    paused.pause()
    // These reach the sockets of the paused process and are read the moment it goes on.
    const waiting = SYSTEMS.map((id) => sample(paused, id, 'k1'))
    await until(async () => {
      const { body } = await send(`${heir.url}/v1/cluster`, 'GET')
      return body.ready.length === 6
    })
    const view = (await send(`${heir.url}/v1/cluster`, 'GET')).body
    for (const shard of ready) {
      expect(view.shards[shard].owner).not.toBe(session)
      expect(view.shards[shard].token).toBeGreaterThan(shards[shard].token)
    }
    paused.resume()
    const answers = await Promise.all(waiting)
    // What it had itself it must refuse; the rest it may pass on to the heir.
    const refused = answers.filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThan(0)
    expect(answers.every(({ status }) => status === 503 || status === 200)).toBe(true)
    expect(await systemsWith('k1')).toEqual(SYSTEMS.filter((_, i) => answers[i].status === 200))
    for (const id of SYSTEMS) await until(async () => (await sample(paused, id, 'k1')).status === 200)
    await verify(heir)
  })

  /** The systems whose log has a sample under a key. */
  async function systemsWith(key: string): Promise<string[]> {
    const log = await NatsLogReader.openReader(options().nats as { servers: string })
    const records = await Promise.all(SYSTEMS.map((id) => log.read(id, { kinds: ['sample'] })))
    await log.close()
    return SYSTEMS.filter((_, i) => records[i].some(({ body }) => JSON.parse(body).key === key))
  }

  /** A copy of the cluster to a file, and of the file to another cluster, has the same states. */
  async function copyThereAndBack(systems: string[]): Promise<void> {
    const file = await SqliteLog.open(join(folder, `copy-${number}.db`))
    const log = await NatsLogReader.openReader(options().nats as { servers: string })
    const back = await NatsLog.open({ servers: nats.url, cluster: `back-${number}`, shards: 6 })
    await copyLog(log, file)
    await copyLog(file, back)
    for (const id of systems) {
      const { stateHash } = await replaySystem(log, id)
      expect((await log.pick(id, [1]))[0].body.length).toBeGreaterThan(1 << 20)
      expect([(await replaySystem(file, id)).stateHash, (await replaySystem(back, id)).stateHash]).toEqual([
        stateHash,
        stateHash,
      ])
    }
    await Promise.all([log.close(), file.close(), back.close()])
  }

  /** Every system's state is what its log implies. */
  async function verify(worker: ChildServer, systems = SYSTEMS): Promise<void> {
    const log = await NatsLogReader.openReader(options().nats as { servers: string })
    for (const id of systems) {
      const live = await untilOk(() => send(`${worker.url}/v1/systems/${id}/state`, 'GET'))
      const report = await replaySystem(log, id)
      expect([id, report.difference]).toEqual([id, undefined])
      expect(report.stateHash).toBe(live.stateHash)
    }
    await log.close()
  }
})

/** Asks again while no worker has the system: on a busy machine a lease may run out for a moment. */
async function steady(request: () => Promise<Answer>): Promise<Answer> {
  let answer = await request()
  await until(async () => {
    if (answer.status === 503) answer = await request()
    return answer.status !== 503
  })
  return answer
}

// biome-ignore lint/suspicious/noExplicitAny: the answer of any route
async function untilOk(request: () => Promise<{ status: number; body: any }>): Promise<any> {
  let body: unknown
  await until(async () => {
    const answer = await request()
    body = answer.body
    return answer.status === 200
  })
  return body
}

/** What never comes about lets the test time out. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition().catch(() => false))) await setTimeout(50)
}
