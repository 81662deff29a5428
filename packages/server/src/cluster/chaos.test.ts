import { setTimeout } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { NatsLogReader } from '../log/nats/nats-log-reader.ts'
import { replaySystem } from '../replay/replay.ts'
import { ChildServer } from '../testing/child-server.ts'
import { type Acknowledged, FleetClients } from '../testing/fleet-clients.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { NATS_SERVER, NatsCluster } from '../testing/nats-cluster.ts'
import { send } from '../testing/requests.ts'

/**
 * Three short rounds by default. PB_OEL_SOAK=1 asks for twenty long ones, another number for that many; a long round
 * takes a minute and a machine to itself.
 */
const SOAK = Number(process.env.PB_OEL_SOAK ?? 0)
const ROUNDS = SOAK === 0 ? 3 : SOAK === 1 ? 20 : SOAK
const SYSTEMS = Array.from({ length: SOAK ? 60 : 8 }, (_, i) => `asset-${String(i).padStart(2, '0')}`)
const SHARDS = SOAK ? 12 : 4
const LEASE = SOAK ? 5 : 2
/** Samples per second of each system; PB_OEL_SOAK_RATE changes those of the long form, 5,000 in all. */
const RATE = SOAK ? Number(process.env.PB_OEL_SOAK_RATE ?? 84) : 17
/** Records between two saved states; the short form is to have some. */
const SNAPSHOT_EVERY = SOAK ? 2_000 : 400
/** Milliseconds until everything must be ready, on a machine with other work. */
const READY = 180_000
/** Milliseconds: under load before the first failure, a server is down, a server is cut off, leaders must stay. */
const [BEFORE, DOWN, CUT, STEADY] = SOAK ? [10_000, 3_000, 8_000, 3_000] : [0, 500, 3_000, 0]
const SYSTEM = {
  channels: ['a', 'b', 'c', 'd'],
  levels: ['safe', 'odd', 'unsafe'],
  options: { experts: 3 },
  alarm: { level: 1, clearBelow: 1 },
}

describe.skipIf(!NATS_SERVER)('three servers, three workers (needs nats-server 2.11)', () => {
  const folder = temporaryFolder()
  let nats: NatsCluster | undefined
  const workers: ChildServer[] = []
  afterAll(async () => {
    await Promise.all(workers.filter((worker) => worker.running).map((worker) => worker.kill()))
    await nats?.stop()
  })

  it(`${ROUNDS} rounds of killing a worker, killing the leader of JetStream and cutting a server off, under load: nothing acknowledged is lost or doubled`, {
    timeout: 120_000 + ROUNDS * 180_000,
  }, async () => {
    const servers = await NatsCluster.start(folder, 3, true)
    nats = servers
    const where = { servers: servers.url, cluster: 'chaos', shards: SHARDS, leaseSeconds: LEASE }
    const start = () => ChildServer.start({ port: 0, snapshotEvery: SNAPSHOT_EVERY, nats: where })
    workers.push(...(await Promise.all([start(), start(), start()])))
    await allReady()
    for (const id of SYSTEMS) {
      for (;;) {
        const { status } = await send(`${workers[0].url}/v1/systems`, 'POST', { ...SYSTEM, id })
        if (status === 201) break
        await setTimeout(200)
      }
    }
    const clients = new FleetClients(SYSTEMS, urls(), RATE)
    const running = clients.run()
    // Looked at in the end.
    running.catch(() => {})
    await setTimeout(BEFORE / 2)
    const [atStart, since] = [clients.count, performance.now()]
    await setTimeout(BEFORE)
    const rate = (1000 * (clients.count - atStart)) / (performance.now() - since)
    const takeovers: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const before = clients.count
      const victim = workers[round % 3]
      clients.urls = urls().filter((url) => url !== victim.url)
      await victim.kill()
      const killed = performance.now()
      await allReady()
      // Its last beat was up to an eighth of the lease before its end.
      const takeover = (performance.now() - killed) / 1000 - LEASE + LEASE / 8
      takeovers.push(takeover)
      workers[round % 3] = await start()
      clients.urls = urls()

      const leader = await servers.leader()
      await leader.kill()
      await setTimeout(DOWN)
      leader.start()
      await servers.healthy()

      const cut = servers.network ? servers.nodes[2] : servers.nodes[round % 3]
      cut.cutOff()
      await setTimeout(CUT)
      cut.heal()
      // The time of the next takeover is to be the workers', not that of the servers' elections.
      await servers.healthy(STEADY)
      console.log(
        `round ${round + 1}: leader ${leader.name}, ${clients.count - before} acknowledged, takeover ${takeover.toFixed(1)} s`,
      )
    }
    clients.stop()
    await running
    await allReady()

    const log = await NatsLogReader.openReader(where)
    let records = 0
    for (const id of SYSTEMS) {
      const live = await state(id)
      // Not to its end: a system that has been silent for some time says so in its log, perhaps in between.
      const report = await replaySystem(log, id, live.sequence)
      expect([id, report.difference]).toEqual([id, undefined])
      expect([id, report.stateHash]).toEqual([id, live.stateHash])
      const kept = await keysOf(log, id, report.to)
      for (const [key, acknowledged] of clients.acknowledged.get(id) as Map<string, Acknowledged>) {
        expect([id, key, kept.get(key)]).toEqual([id, key, acknowledged])
      }
      records += report.to
    }
    await log.close()
    const how = servers.network ? 'a network namespace' : 'SIGSTOP'
    console.log(
      `${ROUNDS} rounds (cut off by ${how}), ${rate.toFixed(0)} samples and answers per second before the first, ` +
        `${clients.count} acknowledged, ${records} records, takeovers after the lease ran out: ` +
        `${takeovers.map((seconds) => seconds.toFixed(1)).join(', ')} s`,
    )
    expect(clients.count).toBeGreaterThan(ROUNDS * SYSTEMS.length * 80)
    // One may meet the election of a leader, or a server that catches up.
    if (SOAK) expect(takeovers.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]).toBeLessThan(5)
  })

  function urls(): string[] {
    return workers.filter((worker) => worker.running).map(({ url }) => url)
  }

  /** Waits until every shard is loaded at a worker that lives. */
  async function allReady(): Promise<void> {
    for (const end = performance.now() + READY; ; ) {
      const views = await Promise.all(urls().map((url) => send(`${url}/v1/cluster`, 'GET').catch(() => undefined)))
      const ready = new Set(views.flatMap((view) => (view?.body.valid ? view.body.ready : [])))
      if (ready.size === SHARDS) return
      if (performance.now() > end)
        throw new Error(`only ${ready.size} of ${SHARDS} shards are ready after ${READY / 1000} s`)
      await setTimeout(50)
    }
  }

  async function state(id: string): Promise<{ sequence: number; stateHash: string }> {
    for (const end = performance.now() + 60_000; ; ) {
      const { status, body } = await send(`${urls()[0]}/v1/systems/${id}/state`, 'GET')
      if (status === 200) return { sequence: body.system.sequence, stateHash: body.stateHash }
      if (performance.now() > end) throw new Error(`${id} gives no state: ${JSON.stringify(body)}`)
      await setTimeout(200)
    }
  }
})

/** Every key of a log with where it is and what it is about; none twice. */
async function keysOf(log: NatsLogReader, id: string, last: number): Promise<Map<string, Acknowledged>> {
  const keys = new Map<string, Acknowledged>()
  for (let from = 1; from <= last; from += 1_000) {
    const records = await log.read(id, { from, to: from + 1_000, limit: 1_001 })
    records.slice(0, 1_000).forEach(({ sequence, kind, body }, i) => {
      const { key, assessment } = JSON.parse(body)
      if (key === undefined) return
      expect([id, key, keys.has(key)]).toEqual([id, key, false])
      keys.set(key, {
        sequence,
        assessment: kind === 'sample' ? JSON.parse(records[i + 1].body).assessment : assessment,
      })
    })
  }
  return keys
}
