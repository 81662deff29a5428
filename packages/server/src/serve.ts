import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { dirname, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import type { SimulationSetting } from '@pb-oel/protocol'
import type { FastifyServerOptions } from 'fastify'
import { AlarmOutbox } from './alarms/outbox.ts'
import { postAlarm } from './alarms/webhook.ts'
import { createApp } from './app.ts'
import { isLoopback } from './auth/guard.ts'
import { Tokens } from './auth/tokens.ts'
import { Backups } from './backup/backups.ts'
import { type Cluster, openCluster } from './cluster/open-cluster.ts'
import type { Config } from './config.ts'
import { Conflict, SetupError } from './errors.ts'
import type { App } from './http/context.ts'
import { LIMITS } from './http/limits.ts'
import { warningAbout } from './log/nats/connection.ts'
import { shardOf } from './log/nats/names.ts'
import { NatsLog } from './log/nats/nats-log.ts'
import { SqliteLog } from './log/sqlite-log.ts'
import { Metrics } from './metrics/metrics.ts'
import { MqttBridge } from './mqtt/bridge.ts'
import { LocalReading } from './reading/local-reading.ts'
import type { Reading } from './reading/reading.ts'
import { ReadingThread } from './reading/reading-thread.ts'
import { ThreadRebuilder } from './reading/thread-rebuilder.ts'
import { ThreadedReading } from './reading/threaded-reading.ts'
import { checkLogs } from './service/background-check.ts'
import type { Recovery } from './service/recovery.ts'
import { Service } from './service/service.ts'
import { Simulation } from './simulate/simulation.ts'

/** What a server is started with: the configuration file's fields, and a simulation where one is wanted. */
export type ServeOptions = Config & { simulate?: SimulationSetting }

/** A running server. */
export interface RunningServer {
  /** Such as `http://127.0.0.1:8400`. */
  readonly url: string
  readonly service: Service
  readonly tokens: Tokens
  /** Resolves when every system of the store is rebuilt, or cannot be. The server answers before that. */
  readonly recovered: Promise<void>
  /** Takes no new requests, finishes those under way, saves every state, closes the store. */
  stop(): Promise<void>
}

/** Milliseconds a stopping server waits for requests under way before it cuts them off. */
const DRAIN = 10_000
const HOUR = 3_600_000
/** Seconds a worker's lease lasts unless configured otherwise. */
const LEASE_SECONDS = 5
/** Records between two snapshots in a cluster: a takeover replays those after the latest, for many systems at once. */
const WORKER_SNAPSHOT_EVERY = 2_000
/** Most systems of one worker of a cluster. */
const WORKER_SYSTEMS = 20_000

/** What the parts of a server share while it is put together. */
interface Parts {
  options: ServeOptions
  log: SqliteLog | NatsLog
  metrics: Metrics
  tokens: Tokens
  service: Service
  reading: Reading
  backups: Backups
  /** Certificate and key, where it speaks TLS. */
  https: { cert: Buffer; key: Buffer } | undefined
  /** The event streams open now. */
  streams: Set<Writable>
  /** Writes a line to the server's own log, once it has one. */
  note: (fields: object, text: string) => void
  /** The same for what somebody should look at; kept until there is a log. */
  warn: (fields: object, text: string) => void
  warnings: [fields: object, text: string][]
  stopping: boolean
  /** Aborted when the server stops. */
  ending: AbortController
}

/**
 * Starts the service: listens at once, and rebuilds every system from the store meanwhile.
 *
 * Without any token it listens on loopback only: everybody who can reach it may do everything.
 */
export async function serve(options: ServeOptions = {}): Promise<RunningServer> {
  const { host = '127.0.0.1', port = 8400, nats, retention } = options
  const parts = await openParts(options, host)
  const { service, tokens } = parts
  const cluster = await joinable(parts)
  const recovery = cluster ? undefined : await beginRecovery(parts)
  if (!cluster) await makeSystems(parts, () => true)
  if (options.simulate) await service.settled(options.simulate.system)
  const simulation = options.simulate && (await Simulation.start(service, options.simulate))
  const app = await makeApp(parts, cluster, simulation)
  const checked = recovery?.finished.then(() => finishRecovery(parts, recovery))
  const bridge = options.mqtt && new MqttBridge(service, parts.metrics, options.mqtt)
  if (bridge) {
    bridge.onChange = (connected, reason) => app.log.info({ connected, reason }, 'mqtt')
    bridge.onFailure = (error) => app.log.error({ reason: error.message }, 'a message stays with the broker')
  }
  const outboxes = makeOutboxes(parts, app, bridge)
  for (const outbox of outboxes) await outbox.start()
  const copying = scheduleBackups(parts)
  const upkeep = retention && setInterval(() => void service.compactAll(retention.records), HOUR)

  await app.listen({ host, port })
  const { port: bound } = app.server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  const url = `${options.tls ? 'https' : 'http'}://${name}:${bound}`
  await cluster?.node.join(nats?.advertise ?? url)

  const stop = async () => {
    parts.stopping = true
    parts.ending.abort()
    clearInterval(upkeep)
    clearInterval(copying)
    await simulation?.stop()
    await bridge?.stop()
    await Promise.all(outboxes.map((outbox) => outbox.stop()))
    // The server still listens: requests for the systems it gives away are passed on to the new owner.
    await cluster?.leave()
    await closeApp(app, parts.streams)
    await parts.reading.close()
    await service.close()
    await checked
  }
  let stopped: Promise<void> | undefined
  return {
    ...{ url, service, tokens, recovered: recovery?.finished ?? Promise.resolve() },
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}

async function openParts(options: ServeOptions, host: string): Promise<Parts> {
  const { nats, tls, store = './pb-oel.db' } = options
  if (nats && (options.mqtt || options.simulate)) {
    throw new SetupError(
      'a worker of a cluster takes samples over HTTP only: neither mqtt nor a simulation goes with nats',
    )
  }
  // Before anything is open: a wrong file ends the start.
  const https = tls && { cert: readPem(tls.cert), key: readPem(tls.key) }
  const log = nats ? await NatsLog.open(nats) : await SqliteLog.open(store)
  const metrics = new Metrics()
  log.onCommit = (seconds, records) => metrics.commit(seconds, records)
  const tokens = await Tokens.open(log)
  if (tokens.size === 0 && !isLoopback(host)) {
    await log.close()
    throw new SetupError(
      `${host} can be reached from elsewhere, and this store has no tokens: make one first with --new-token admin`,
    )
  }
  const snapshotEvery = options.snapshotEvery ?? (nats && WORKER_SNAPSHOT_EVERY)
  const service = Service.empty(log, { snapshotEvery, ...(nats && { maxSystems: WORKER_SYSTEMS }) })
  metrics.watch(service)
  const { folder = dirname(resolve(store)), keep } = options.backups ?? {}
  const backups = new Backups(log, folder, service.clock, keep)
  const warnings: Parts['warnings'] = []
  const warn: Parts['warn'] = (...warning) => void warnings.push(warning)
  const reading = log instanceof SqliteLog ? new ThreadedReading(store) : new LocalReading(log)
  return {
    ...{ options, log, metrics, tokens, service, reading, backups, https, warn, warnings },
    ...{ streams: new Set(), note: () => {}, stopping: false, ending: new AbortController() },
  }
}

/** Begins to rebuild the systems; whatever is damaged is said. */
async function beginRecovery(parts: Parts): Promise<Recovery> {
  const { service, metrics, options } = parts
  const { store = './pb-oel.db' } = options
  service.onDamage = (reason, system) => {
    metrics.trouble()
    parts.warn({ system, reason }, 'a part of the log is damaged')
  }
  const lost = parts.log instanceof SqliteLog ? await parts.log.lost() : 0
  if (lost > 0) {
    metrics.trouble()
    parts.warn({ store, lost }, 'the write-ahead log was damaged or cut: records that were acknowledged are missing')
  }
  return service.recover(() => new ThreadRebuilder(store))
}

/** Says which systems could not be rebuilt, and looks through the part of the logs that a start does not read. */
async function finishRecovery(parts: Parts, { damaged }: Recovery): Promise<void> {
  const { service, metrics, options, ending } = parts
  for (const [system, { message }] of damaged) {
    metrics.trouble()
    parts.warn({ system, reason: message }, 'a system cannot be rebuilt; the others go on')
  }
  if (ending.signal.aborted || !service.list().some(({ snapshotAt }) => snapshotAt > 0)) return
  const thread = new ReadingThread({ file: options.store ?? './pb-oel.db', standsBack: true })
  ending.signal.addEventListener('abort', () => void thread.end())
  await checkLogs(service, (system, through) => thread.call('verify', system, through), ending.signal)
  await thread.end()
}

/** Copies the store as often as the configuration says. */
function scheduleBackups({ options, backups, metrics, note, warn }: Parts): NodeJS.Timeout | undefined {
  const { everyHours } = options.backups ?? {}
  if (everyHours === undefined) return undefined
  const copy = () =>
    backups.make().then(
      (file) => note({ file }, 'the store was backed up'),
      (error: Error) => {
        metrics.trouble()
        warn({ reason: error.message }, 'the store could not be backed up')
      },
    )
  return setInterval(() => void copy(), everyHours * HOUR)
}

/** Makes the systems of the configuration that do not exist yet, among those that are wanted. */
async function makeSystems({ options, service }: Parts, wanted: (id: string) => boolean): Promise<void> {
  for (const { id, ...given } of options.systems ?? []) {
    if (!wanted(id) || service.knows(id)) continue
    await service.create(id, given, 'configuration').catch((error) => {
      if (!(error instanceof Conflict)) throw error
    })
  }
}

/** The cluster that the log belongs to, where it does; it takes shards after `node.join`. */
async function joinable(parts: Parts): Promise<Cluster | undefined> {
  const { log, service, tokens, metrics, options } = parts
  if (!(log instanceof NatsLog)) return undefined
  return openCluster(log, service, tokens, {
    leaseSeconds: options.nats?.leaseSeconds ?? LEASE_SECONDS,
    onReady: (shard) => makeSystems(parts, (id) => shardOf(id, log.shards) === shard),
    onTrouble: (error, what) => {
      metrics.trouble()
      parts.note({ reason: error.message }, `${what} failed; trying again`)
    },
    onChange: (shard, state, ms) => parts.note({ shard, state, ms: Math.round(ms) }, 'shard'),
  })
}

async function makeApp(parts: Parts, cluster: Cluster | undefined, simulation: Simulation | undefined): Promise<App> {
  const { options, log, metrics, tokens, service, reading, streams, https } = parts
  const { logLevel = 'info', trustProxy = false } = options
  const limits = { ...LIMITS, ...options.limits }
  const app = await createApp(
    {
      ...{ service, reading, tokens, metrics, simulation, cluster, streams },
      backups: parts.backups,
      stopping: () => parts.stopping,
      maxStreams: limits.streams,
    },
    limits,
    { logger: loggerOptions(logLevel), trustProxy, https } as FastifyServerOptions,
  )
  parts.note = (fields, text) => app.log.info(fields, text)
  parts.warn = (fields, text) => app.log.error(fields, text)
  for (const [fields, text] of parts.warnings) parts.warn(fields, text)
  const warning = log instanceof NatsLog && warningAbout(log.cluster.nats.connection.info?.version ?? '')
  if (warning) app.log.warn(warning)
  service.onTrouble = (error, system) => {
    metrics.trouble()
    app.log.error({ system, reason: error.message }, 'a system takes no events')
  }
  return app
}

/** One outbox for each receiver of alarms. */
function makeOutboxes({ options, service }: Parts, app: App, bridge: MqttBridge | undefined): AlarmOutbox[] {
  const outboxes = (options.webhooks ?? []).map((hook) => {
    const outbox = new AlarmOutbox(service, hook.url, (message, signal) =>
      postAlarm(hook, message, service.clock(), signal),
    )
    outbox.onFailure = (error) => app.log.warn({ reason: error.message }, 'an alarm was not delivered; trying again')
    return outbox
  })
  if (bridge) outboxes.push(new AlarmOutbox(service, 'mqtt', (message) => bridge.alarm(message)))
  return outboxes
}

/** Finishes the requests under way and closes every connection. */
async function closeApp(app: App, streams: ReadonlySet<Writable>): Promise<void> {
  // Event streams have no end of their own; streams of lines may have none.
  for (const stream of streams) stream.end()
  const cut = setTimeout(() => app.server.closeAllConnections(), DRAIN)
  // A connection whose last answer has just gone out is kept alive for a next request that will not be taken.
  const sweep = setInterval(() => app.server.closeIdleConnections(), 50)
  await app.close()
  clearTimeout(cut)
  clearInterval(sweep)
}

/** Structured lines without secrets: no headers, and no query in an address. */
export function loggerOptions(level: string): object {
  return {
    level,
    serializers: {
      req: ({ method, url, ip }: { method: string; url: string; ip: string }) => ({
        method,
        path: url.split('?')[0],
        ip,
      }),
    },
  }
}

function readPem(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new SetupError(`${file}: ${(error as Error).message}`)
  }
}
