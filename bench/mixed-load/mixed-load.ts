import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createToken } from '@pb-oel/server'
import { ABUSES } from './abuse.ts'
import { HAS_BROKER, publishNonsense, startBroker } from './bad-mqtt.ts'
import { checkStore, type LiveState } from './check.ts'
import { EventFollower } from './event-follower.ts'
import { Ingest, type Target } from './ingest.ts'

/** What a run is asked to do. */
export interface MixedLoad {
  minutes: number
  systems: number
  /** Samples per second of each system. */
  rate: number
  threads?: number
  onProgress?: (text: string) => void
}

/** What a run found. */
export interface MixedLoadReport {
  minutes: number
  systems: number
  /** Everything that must not be; empty when the server did not bend. */
  wrong: string[]
  acknowledged: number
  records: number
  perSecond: number
  /** Milliseconds until an acknowledgement. */
  latency: { median: number; p99: number; worst: number }
  sentAgain: number
  /** What was done to it, by kind. */
  abuse: Record<string, number>
  events: number
  reconnects: number
  /** Resident memory in MiB over time, and the last third beside the middle one. */
  memory: { median: number; most: number; lastToMiddle: number }
}

/** Memory is called flat up to this growth from the middle third to the last. */
const FLAT = 1.1
const BIN = join(import.meta.dirname, '../../packages/cli/bin/pb-oel.js')
const CHANNELS = Array.from({ length: 24 }, (_, i) => `channel ${i + 1}`)

/** Runs a server under honest load and under all abuse at once, and checks what is left. */
export async function mixedLoad(load: MixedLoad): Promise<MixedLoadReport> {
  const folder = mkdtempSync(join(tmpdir(), 'pb-oel-mixed-'))
  const store = join(folder, 'mixed.db')
  const token = await createToken(store, { name: 'load', roles: ['admin'], systems: ['*'] })
  const brokerPort = await freePort()
  const broker = HAS_BROKER ? await startBroker(folder, brokerPort) : undefined
  const names = Array.from({ length: load.systems }, (_, i) => `s${i}`)
  const port = await freePort()
  const server = startServer(folder, { load, names, store, port, brokerPort })
  try {
    const target = { url: `http://127.0.0.1:${port}`, token }
    await reachable(target, names)
    return await run(load, target, names, { server, store, brokerPort })
  } finally {
    server.kill('SIGKILL')
    broker?.kill()
    rmSync(folder, { recursive: true })
  }
}

interface Setting {
  load: MixedLoad
  names: readonly string[]
  store: string
  port: number
  brokerPort: number
}

function startServer(folder: string, { load, names, store, port, brokerPort }: Setting): ChildProcess {
  const config = {
    ...{ store, port, logLevel: 'warn', backups: { folder, keep: 2 } },
    ...(load.threads !== undefined && { threads: load.threads }),
    ...(HAS_BROKER && { mqtt: { url: `mqtt://127.0.0.1:${brokerPort}` } }),
    systems: names.map((id) => ({ id, channels: CHANNELS, levels: ['I', 'II', 'III'] })),
  }
  const file = join(folder, 'config.json')
  writeFileSync(file, JSON.stringify(config))
  return spawn(process.execPath, [BIN, 'serve', '--config', file], { stdio: ['ignore', 'ignore', 'inherit'] })
}

async function run(
  { minutes, systems, rate, onProgress = () => {} }: MixedLoad,
  target: Target,
  names: readonly string[],
  { server, store, brokerPort }: { server: ChildProcess; store: string; brokerPort: number },
): Promise<MixedLoadReport> {
  const end = performance.now() + minutes * 60_000
  const over = () => performance.now() > end || server.exitCode !== null
  const counts: Record<string, number> = {}
  const counter = (name: string) => () => {
    counts[name] = (counts[name] ?? 0) + 1
  }
  const ingest = new Ingest(target)
  const followers = names.slice(0, 5).map((name) => new EventFollower(target, name))
  const memory: number[] = []
  const watch = async () => {
    for (let n = 0; !over(); n++) {
      memory.push(residentMegabytes(server.pid as number))
      if (n % 30 === 29) onProgress(`${ingest.latencies.length} acknowledged, ${Math.round(memory.at(-1) ?? 0)} MiB`)
      await setTimeout(1_000)
    }
  }
  const abuses = ABUSES.flatMap(({ name, clients, abuse }) =>
    Array.from({ length: clients }, () => abuse(target, names, over, counter(name))),
  )
  if (HAS_BROKER) {
    const topics = names.map((name) => `pb-oel/${name}/sample`)
    abuses.push(publishNonsense(brokerPort, topics, over, counter('bad MQTT')))
  }
  let acknowledgedAll = false
  const lastOf = (system: string) => Math.max(0, ...[...(ingest.acknowledged.get(system)?.values() ?? [])].slice(-2))
  const ingesting = ingest.run(names, rate, over).finally(() => (acknowledgedAll = true))
  const following = Promise.all(
    followers.map((one, i) =>
      one.run(
        () => acknowledgedAll,
        () => lastOf(names[i]),
      ),
    ),
  )
  await Promise.all([ingesting, watch(), ...abuses])
  const wrong = server.exitCode === null ? [] : [`the server ended with ${server.exitCode}`]
  await Promise.race([following, setTimeout(60_000)])
  for (const [i, { seen, wrong: found }] of followers.entries()) {
    wrong.push(...found, ...missedEvents(ingest, names[i], seen))
  }
  const states = await liveStates(target, names)
  server.kill('SIGTERM')
  await new Promise((done) => (server.exitCode === null ? server.once('exit', done) : done(undefined)))
  const found = await checkStore(store, ingest.acknowledged, states)
  const flatness = growth(memory)
  if (minutes >= 3 && flatness > FLAT) wrong.push(`memory grew to ${flatness.toFixed(2)} of the middle third`)
  return {
    ...{
      minutes,
      systems,
      wrong: [...wrong, ...found.wrong],
      acknowledged: found.acknowledged,
      records: found.records,
    },
    perSecond: found.acknowledged / (minutes * 60),
    latency: spreadOf(ingest.latencies),
    sentAgain: ingest.again,
    abuse: counts,
    events: followers.reduce((sum, { seen }) => sum + seen.size, 0),
    reconnects: followers.reduce((sum, { reconnects }) => sum + reconnects, 0),
    memory: { median: quantile(memory, 0.5), most: Math.max(...memory), lastToMiddle: flatness },
  }
}

/** Assessments that were acknowledged and that the follower of their system never heard of. */
function missedEvents(ingest: Ingest, system: string, seen: ReadonlySet<number>): string[] {
  const samples = [...(ingest.acknowledged.get(system) ?? [])].filter(([key]) => key.startsWith('s'))
  // The record of an assessment follows that of its sample.
  const missed = samples.filter(([, sequence]) => !seen.has(sequence + 1))
  return missed
    .slice(0, 3)
    .map(([key, sequence]) => `${system}: the event of ${key}, record ${sequence + 1}, never came`)
}

/** The live states, once nothing is under way any more. */
async function liveStates({ url, token }: Target, names: readonly string[]): Promise<Map<string, LiveState>> {
  const states = new Map<string, LiveState>()
  for (const name of names) {
    const response = await fetch(`${url}/v1/systems/${name}/state`, { headers: { authorization: `Bearer ${token}` } })
    const { stateHash, system } = (await response.json()) as { stateHash: string; system: { sequence: number } }
    states.set(name, { sequence: system.sequence, stateHash })
  }
  return states
}

async function reachable({ url, token }: Target, names: readonly string[]): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  for (let attempt = 0; attempt < 600; attempt++) {
    const last = await fetch(`${url}/v1/systems/${names.at(-1)}`, { headers }).catch(() => undefined)
    if (last?.status === 200) return
    await setTimeout(100)
  }
  throw new Error('the server did not come up within a minute')
}

function residentMegabytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+)/m)?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}

function growth(values: readonly number[]): number {
  const third = (n: number) => values.slice((n * values.length) / 3, ((n + 1) * values.length) / 3)
  return quantile(third(2), 0.5) / quantile(third(1), 0.5)
}

function spreadOf(values: readonly number[]): MixedLoadReport['latency'] {
  return { median: quantile(values, 0.5), p99: quantile(values, 0.99), worst: quantile(values, 1) }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
}
