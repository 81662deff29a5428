import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { dive } from '@pb-oel/core'
import { connectNats } from '../log/nats/connection.ts'
import { shardOf } from '../log/nats/names.ts'
import { ChildServer } from './child-server.ts'
import { CpuShare } from './cpu-share.ts'
import { NatsCluster } from './nats-cluster.ts'
import { send } from './requests.ts'

// How many samples per second a cluster on this machine takes:
//   node cluster-throughput.ts [workers] [servers] [seconds] [lines] [share]
// Each client sends the next samples of its system, so many lines at once, when the last ones are answered. The method,
// its channels and its levels are those of the simulated dive. A share, such as 0.1, holds each worker to so much of
// one core: then the workers are what limits, as they are where servers and clients have machines of their own.
const [workerCount = 1, serverCount = 3, seconds = 15, LINES = 1, share = 0] = process.argv.slice(2).map(Number)
const SYSTEMS = Array.from({ length: 60 }, (_, i) => `asset-${i}`)

const folder = mkdtempSync(join(tmpdir(), 'pb-oel-throughput-'))
const nats = await NatsCluster.start(folder, serverCount)
const where = { servers: nats.url, cluster: 'throughput', shards: 12 }
const workers = await Promise.all(
  Array.from({ length: workerCount }, () => ChildServer.start({ port: 0, nats: where })),
)
const stream = dive()
const samples = [...stream].slice(0, 2_000).map(({ x }) => JSON.stringify({ values: [...x] }))
for (const id of SYSTEMS) {
  const system = { id, channels: [...stream.channels], levels: [...stream.levels] }
  while ((await send(`${workers[0].url}/v1/systems`, 'POST', system)).status !== 201) await setTimeout(100)
}
await setTimeout(4_000)
const shares = share > 0 ? workers.map(({ pid }) => new CpuShare(pid, share)) : []

// Every client asks the worker that has its system: what is measured is not the passing on.
const { body: cluster } = await send(`${workers[0].url}/v1/cluster`, 'GET')
const ownerOf = (id: string): string => cluster.workers[cluster.shards[shardOf(id, where.shards)].owner]

let answered = 0
let running = true
const clients = SYSTEMS.map(async (id, number) => {
  const base = ownerOf(id)
  for (let at = number; running; at += LINES) {
    const lines = Array.from({ length: LINES }, (_, i) => `${samples[(at + i) % samples.length]}\n`).join('')
    const { status } = await send(`${base}/v1/systems/${id}/samples`, 'POST', lines, {
      'content-type': 'application/x-ndjson',
    })
    if (status === 200) answered += LINES
  }
})
const processes = { workers: workers.map(({ pid }) => pid), servers: nats.nodes.map(({ pid }) => pid) }
await setTimeout(3_000)
const before = { answered, time: performance.now(), workers: cpu(processes.workers), servers: cpu(processes.servers) }
await setTimeout(seconds * 1000)
const done = answered - before.answered
const rate = done / ((performance.now() - before.time) / 1000)
const perSample = (kind: 'workers' | 'servers') =>
  Number((((cpu(processes[kind]) - before[kind]) / done) * 1000).toFixed(3))
const cpuMillisecondsPerSample = { workers: perSample('workers'), servers: perSample('servers') }
running = false
await Promise.all(clients)
await Promise.all(workers.map((worker) => worker.stop()))
for (const held of shares) held.remove()

const { connection, jsm } = await connectNats(nats.url)
let bytes = 0
let snapshotBytes = 0
for await (const { config, state } of jsm.streams.list()) {
  if (config.name.includes('-log-')) bytes += state.bytes
  if (config.name.startsWith('OBJ_')) snapshotBytes = Math.round(state.bytes / SYSTEMS.length)
}
await connection.close()
console.log(
  JSON.stringify({
    ...{
      workers: workerCount,
      servers: serverCount,
      lines: LINES,
      ...(share > 0 && { coreShare: share }),
      cores: cpus().length,
      samplesPerSecond: Math.round(rate),
    },
    ...{ cpuMillisecondsPerSample, logBytesPerSample: Math.round(bytes / answered), snapshotBytes },
  }),
)
await nats.stop()
rmSync(folder, { recursive: true, force: true })

/** Seconds of processor time some processes have used; Linux. */
function cpu(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return sum + (Number(fields[11]) + Number(fields[12])) / 100
  }, 0)
}
