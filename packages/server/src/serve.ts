import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { dirname, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import type { Extensions } from '@pb-oel/core'
import type { SimulationSetting } from '@pb-oel/protocol'
import type { FastifyServerOptions } from 'fastify'
import { AlarmOutbox } from './alarms/outbox.ts'
import { receiverOutboxes } from './alarms/receivers.ts'
import { postAlarm } from './alarms/webhook.ts'
import { createApp } from './app.ts'
import { isLoopback } from './auth/guard.ts'
import { Tokens } from './auth/tokens.ts'
import { BACKUPS, Backups } from './backup/backups.ts'
import { Bridges } from './bridges/bridges.ts'
import { clusterIntake } from './bridges/cluster-intake.ts'
import { localIntake } from './bridges/intake.ts'
import { systemClock } from './clock/clock.ts'
import type { ClusterNode } from './cluster/cluster-node.ts'
import { type Cluster, openCluster } from './cluster/open-cluster.ts'
import { type Owned, ownedIn } from './cluster/owned.ts'
import type { Config } from './config.ts'
import { Conflict, SetupError } from './errors.ts'
import type { App, Context } from './http/context.ts'
import { LIMITS } from './http/limits.ts'
import { UnusedConnections } from './http/unused-connections.ts'
import { weaknessOf } from './log/nats/connection.ts'
import { shardOf } from './log/nats/names.ts'
import { NatsLog } from './log/nats/nats-log.ts'
import { SqliteLog } from './log/sqlite-log.ts'
import { warningAboutSqlite } from './log/sqlite-version.ts'
import { Metrics } from './metrics/metrics.ts'
import type { Broker } from './mqtt/broker.ts'
import { LocalReading } from './reading/local-reading.ts'
import type { Reading } from './reading/reading.ts'
import { ReadingThread } from './reading/reading-thread.ts'
import { ThreadedReading } from './reading/threaded-reading.ts'
import { checkModules } from './replay/check-modules.ts'
import type { ModuleFiles } from './replay/load-modules.ts'
import { ThreadSeats } from './seat/thread-seats.ts'
import { checkLogs } from './service/background-check.ts'
import type { Recovery } from './service/recovery.ts'
import { Service } from './service/service.ts'
import { OwnedSimulation } from './simulate/owned-simulation.ts'
import type { SimulationPlan } from './simulate/simulation.ts'
import { addressError, checkStart, type TlsFiles } from './start-checks.ts'
import { Telemetry } from './telemetry/telemetry.ts'

/**
 * What a server is started with: the fields of the configuration file, a simulation where one is wanted, and what its
 * modules export.
 */
export interface ServeOptions extends Omit<Config, 'modules'> {
  /** What is simulated, and which methods assess it. */
  simulate?: SimulationSetting & SimulationPlan
  extensions?: Extensions
  /**
   * Files of the modules as URLs, by their names: other threads import them again. Without, nothing leaves this one.
   */
  moduleFiles?: ModuleFiles
}

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
  /** The threads of the systems; nothing where they stay in this one. */
  seats: ThreadSeats | undefined
  reading: Reading
  backups: Backups
  /** Certificate and key, where it speaks TLS. */
  https: TlsFiles | undefined
  /** The event streams open now. */
  streams: Set<Writable>
  /** Present when traces and log lines are sent elsewhere. */
  telemetry: Telemetry | undefined
  /** The simulation, where one is wanted; a worker of a cluster feeds those of its systems that it has. */
  simulation: OwnedSimulation | undefined
  /** The bridges; they begin when the server listens. */
  bridges: Bridges | undefined
  /** The broker, where there is one; its messages come when the server listens. */
  broker: Broker | undefined
  /** Writes a line to the server's own log, once it has one. */
  note: (fields: object, text: string) => void
  /** The same for what somebody should look at; kept until there is a log. */
  warn: (fields: object, text: string) => void
  warnings: [fields: object, text: string][]
  stopping: boolean
  /** Aborted when the server stops. */
  ending: AbortController
}

/** How to end what a server has opened so far; the last one opened ends first. */
type Closers = (() => Promise<unknown>)[]

/**
 * Starts the service: listens at once and rebuilds every system from the store meanwhile, then takes up everything that
 * others notice: the systems of the configuration, the simulation, the broker, the receivers of alarms. A start that
 * fails before it listens closes what it has opened, and has neither written to the store nor met the broker.
 *
 * Without any token it listens on loopback only: everybody who can reach it may do everything.
 */
export async function serve(options: ServeOptions = {}): Promise<RunningServer> {
  const { host = '127.0.0.1', port = 8400 } = options
  const https = await checkStart(options, host, port)
  const closers: Closers = []
  try {
    return await start(options, https, closers)
  } catch (error) {
    for (const close of closers.reverse()) await close().catch(() => {})
    throw error
  }
}

async function start(options: ServeOptions, https: TlsFiles | undefined, closers: Closers): Promise<RunningServer> {
  const parts = await openParts(options, https, closers)
  const { service, tokens } = parts
  const cluster = await joinable(parts)
  const recovery = cluster ? undefined : await beginRecovery(parts, closers)
  const { app, context } = await makeApp(parts, cluster)
  const unused = new UnusedConnections(app.server, https !== undefined)
  closers.push(() => closeApp(app, parts.streams, unused))
  const url = await listen(app, options)
  // From here on the server is the one of its store, and saves every state when it ends.
  closers.splice(0, parts.seats ? 2 : 1, () => service.close())
  // Last of all: the end is told of, too.
  closers.unshift(() => parts.telemetry?.close() ?? Promise.resolve())
  await makeBridges(parts, app, cluster)
  if (cluster) {
    await cluster.node.join(options.nats?.advertise ?? url)
    // The server still listens then: requests for the systems it gives away are passed on to the new owner.
    closers.push(() => cluster.leave())
  } else await makeSystems(parts, () => true)
  await takeUp(parts, app, context, closers)
  closers.push(() => parts.bridges?.stopAll() ?? Promise.resolve())
  if (!cluster) for (const name of parts.bridges?.names ?? []) parts.bridges?.start(name)

  const stop = async () => {
    parts.stopping = true
    parts.ending.abort()
    for (const close of closers.reverse()) await close()
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

/** Begins everything that runs by itself: the simulation, the bridge, the receivers of alarms, the upkeep. */
async function takeUp(parts: Parts, app: App, context: Context, closers: Closers): Promise<void> {
  const { options, service, simulation } = parts
  if (simulation) {
    closers.push(() => simulation.stop())
    if (!context.cluster) await simulation.start()
  }
  const { broker } = parts
  if (broker) {
    closers.push(() => broker.close())
    if (!context.cluster) await broker.start()
  }
  for (const outbox of makeOutboxes(parts, app)) {
    closers.push(() => outbox.stop())
    await outbox.start()
  }
  const { retention } = options
  if (retention) {
    const stop = service.time.clock.every(HOUR, () => void service.compactAll(retention.records))
    closers.push(async () => stop())
  }
  const stopCopying = scheduleBackups(parts, context.cluster?.node)
  closers.push(async () => stopCopying())
}

/** Makes what brings samples in from elsewhere; nothing of it runs yet. */
async function makeBridges(parts: Parts, app: App, cluster: Cluster | undefined): Promise<void> {
  const { options, service, metrics, telemetry, note, warn } = parts
  const intake = cluster ? clusterIntake(service, cluster.node, cluster.secret) : localIntake(service)
  const { clock } = service.time
  parts.bridges = new Bridges(options.bridges ?? [], { intake, clock, metrics, telemetry, note, warn })
  if (!options.mqtt) return
  const { Broker } = await import('./mqtt/broker.ts')
  parts.broker = new Broker({ intake, clock, metrics }, options.mqtt, {
    onChange: (connected, reason) => {
      if (reason === undefined) app.log.info({ connected }, 'mqtt')
      else app.log.warn({ reason }, 'mqtt: the broker cannot be reached; trying again')
    },
    onFailure: (error) => app.log.error({ reason: error.message }, 'messages stay with the broker'),
    onDefect: (error) => app.log.error(error, 'a message could not be handled'),
  })
}

/** What one worker of a cluster has at a time: each bridge, the messages of the broker, each simulated system. */
function ownedOf({ bridges, broker, simulation }: Parts): Owned[] {
  return [
    ...(bridges?.names ?? []).map((name) => ({
      name: `bridge ${name}`,
      start: () => bridges?.start(name),
      stop: () => bridges?.stop(name),
    })),
    ...(broker ? [{ name: 'mqtt', start: () => broker.start(), stop: () => broker.stop() }] : []),
    ...(simulation?.systems ?? []).map((name) => ({
      name,
      start: () => simulation?.start(name),
      stop: () => simulation?.stop(name),
    })),
  ]
}

async function listen(app: App, { host = '127.0.0.1', port = 8400, tls }: ServeOptions): Promise<string> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw addressError(error as Error, host, port)
  }
  const { port: bound } = app.server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  return `${tls ? 'https' : 'http'}://${name}:${bound}`
}

async function openParts(options: ServeOptions, https: TlsFiles | undefined, closers: Closers): Promise<Parts> {
  const { nats, host = '127.0.0.1', store = './pb-oel.db' } = options
  const log = nats ? await NatsLog.open(nats) : await SqliteLog.open(store)
  closers.push(() => log.close())
  const metrics = new Metrics()
  const telemetry = options.telemetry && new Telemetry(options.telemetry, systemClock)
  log.onCommit = (seconds, records) => {
    metrics.commit(seconds, records)
    telemetry?.span(
      { name: 'log.commit', kind: 'internal', attributes: { 'pb_oel.records': records } },
      1_000 * seconds,
    )
  }
  const tokens = await Tokens.open(log)
  if (tokens.size === 0 && !isLoopback(host)) {
    throw new SetupError(
      `${host} can be reached from elsewhere, and this store has no tokens: make one first with --new-token admin`,
    )
  }
  const snapshotEvery = options.snapshotEvery ?? (nats && WORKER_SNAPSHOT_EVERY)
  const { systemMegabytes } = options.limits ?? {}
  const { extensions } = options
  const most = nats && { maxSystems: WORKER_SYSTEMS }
  const seats = openSeats(options, log)
  if (seats) closers.push(() => seats.close())
  const service = Service.empty(log, { snapshotEvery, systemMegabytes, extensions, seats, ...most })
  metrics.watch(service)
  const { folder = dirname(resolve(store)), keep } = options.backups ?? {}
  const backups = new Backups(log, folder, service.clock, keep)
  const warnings: Parts['warnings'] = []
  const warn: Parts['warn'] = (...warning) => void warnings.push(warning)
  const apart = log instanceof SqliteLog && canLeave(options)
  const reading = apart ? new ThreadedReading(store, options.moduleFiles) : new LocalReading(log, extensions)
  closers.push(() => reading.close())
  return {
    ...{ options, log, metrics, tokens, service, seats, reading, backups, https, warn, warnings, telemetry },
    simulation: options.simulate && new OwnedSimulation(service, options.simulate),
    ...{
      streams: new Set(),
      bridges: undefined,
      broker: undefined,
      note: () => {},
      stopping: false,
      ending: new AbortController(),
    },
  }
}

/** The threads of the systems, where they leave this one. */
function openSeats(options: ServeOptions, log: SqliteLog | NatsLog): ThreadSeats | undefined {
  const { nats, store = './pb-oel.db', extensions, moduleFiles, limits = {} } = options
  // A machine of a cluster has several workers, each of them a process of its own.
  const { threads = nats ? 0 : Math.max(1, availableParallelism() - 1) } = options
  if (threads === 0 || !canLeave(options)) return undefined
  const { systemMegabytes = LIMITS.systemMegabytes, operationSeconds } = limits
  return new ThreadSeats(log, {
    ...{ threads, modules: moduleFiles, extensions, operationSeconds, guestMegabytes: 2 * systemMegabytes },
    ...(log instanceof SqliteLog && { store }),
  })
}

/** Whether systems can leave this thread: code from outside is here, and another thread must find it too. */
function canLeave({ extensions = {}, moduleFiles }: ServeOptions): boolean {
  const { methods = {}, detectors = {}, learners = {} } = extensions
  return (
    moduleFiles !== undefined || [methods, detectors, learners].every((entries) => Object.keys(entries).length === 0)
  )
}

/** Begins to rebuild the systems; whatever is damaged is said. A system whose module is missing ends the start. */
async function beginRecovery(parts: Parts, closers: Closers): Promise<Recovery> {
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
  await checkModules(parts.log, service.extensions)
  const recovery = await service.recover()
  const checked = recovery.finished.then(() => finishRecovery(parts, recovery))
  closers.push(async () => {
    parts.ending.abort()
    await recovery.stop()
    await checked
  })
  return recovery
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

/** Copies the store as often as the configuration says; of the workers of a cluster, one does. */
function scheduleBackups(
  { options, service, backups, metrics, note, warn }: Parts,
  cluster: ClusterNode | undefined,
): () => void {
  const { everyHours } = options.backups ?? {}
  if (everyHours === undefined) return () => {}
  const copy = () =>
    backups.make().then(
      (file) => note({ file }, 'the store was backed up'),
      (error: Error) => {
        metrics.trouble()
        warn({ reason: error.message }, 'the store could not be backed up')
      },
    )
  const mine = () => cluster === undefined || cluster.locate(BACKUPS) === 'here'
  return service.time.clock.every(everyHours * HOUR, () => mine() && void copy())
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
    onReady: async (shard) => {
      await makeSystems(parts, (id) => shardOf(id, log.shards) === shard)
      for (const one of ownedIn(ownedOf(parts), shard, log.shards)) await one.start()
    },
    onTrouble: (error, what) => {
      metrics.trouble()
      parts.note({ reason: error.message }, `${what} failed; trying again`)
    },
    onChange: (shard, state, ms) => {
      parts.note({ shard, state, ms: Math.round(ms) }, 'shard')
      if (state === 'gone') for (const one of ownedIn(ownedOf(parts), shard, log.shards)) void one.stop()
    },
  })
}

async function makeApp(parts: Parts, cluster: Cluster | undefined): Promise<{ app: App; context: Context }> {
  const { options, log, metrics, tokens, service, reading, backups, streams, https, telemetry } = parts
  const { logLevel = 'info', trustProxy = false, origins } = options
  const limits = { ...LIMITS, ...options.limits }
  const context: Context = {
    ...{ service, reading, tokens, metrics, cluster, streams, backups, origins, telemetry },
    simulation: parts.simulation,
    stopping: () => parts.stopping,
    maxStreams: limits.streams,
  }
  const logger = { ...loggerOptions(logLevel), ...(telemetry && { stream: alsoTelling(telemetry) }) }
  const app = await createApp(context, limits, { logger, trustProxy, https } as FastifyServerOptions)
  parts.note = (fields, text) => app.log.info(fields, text)
  parts.warn = (fields, text) => app.log.error(fields, text)
  if (telemetry) telemetry.onTrouble = (reason, lost) => app.log.warn({ reason, lost }, 'telemetry cannot be sent')
  noteStore(log, app)
  for (const [fields, text] of parts.warnings) parts.warn(fields, text)
  service.onTrouble = (error, system) => {
    metrics.trouble()
    app.log.error({ system, reason: error.message }, 'a system takes no events')
  }
  if (parts.seats) {
    parts.seats.onEnd = (reason, systems, culprit) => {
      metrics.trouble()
      app.log.error({ reason, systems, culprit }, 'a thread has ended; its systems are rebuilt on another')
    }
  }
  return { app, context }
}

/** Says which software keeps the log, and what is known about it. */
function noteStore(log: SqliteLog | NatsLog, app: App): void {
  if (log instanceof NatsLog) {
    const warning = weaknessOf(log.cluster.nats.connection.info?.version ?? '')
    if (warning) app.log.warn(warning)
    return
  }
  const { sqlite } = process.versions
  app.log.info({ sqlite }, 'store')
  const warning = warningAboutSqlite(sqlite ?? '')
  if (warning) app.log.warn(warning)
}

/** One outbox for each receiver of alarms. */
function makeOutboxes({ options, service, broker }: Parts, app: App): AlarmOutbox[] {
  const outboxes = (options.webhooks ?? []).map((hook) => {
    return new AlarmOutbox(service, hook.url, (message, signal) => postAlarm(hook, message, service.clock(), signal))
  })
  if (broker) outboxes.push(new AlarmOutbox(service, 'mqtt', (message) => broker.alarms.alarm(message)))
  outboxes.push(...receiverOutboxes(options, service, broker?.alarms))
  for (const outbox of outboxes) {
    outbox.onFailure = (error) => app.log.warn({ reason: error.message }, 'an alarm was not delivered; trying again')
  }
  return outboxes
}

/** Finishes the requests under way and closes every connection. */
async function closeApp(app: App, streams: ReadonlySet<Writable>, unused: UnusedConnections): Promise<void> {
  // Event streams have no end of their own; streams of lines may have none.
  for (const stream of streams) stream.end()
  const stopCutting = systemClock.after(DRAIN, () => app.server.closeAllConnections())
  // A connection whose last answer has just gone out is kept alive for a next request that will not be taken.
  const stopSweeping = systemClock.every(50, () => {
    app.server.closeIdleConnections()
    unused.close()
  })
  await app.close()
  stopCutting()
  stopSweeping()
}

/** Writes lines of the log where they always go, and tells of them. */
function alsoTelling(telemetry: Telemetry): { write: (line: string) => void } {
  return {
    write: (line) => {
      process.stdout.write(line)
      telemetry.line(line)
    },
  }
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
