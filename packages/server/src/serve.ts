import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { dirname, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import type { FastifyServerOptions } from 'fastify'
import { AlarmOutbox } from './alarms/outbox.ts'
import { postAlarm } from './alarms/webhook.ts'
import { isLoopback } from './auth/guard.ts'
import { Tokens } from './auth/tokens.ts'
import { openCluster } from './cluster/open-cluster.ts'
import type { Config } from './config.ts'
import { Conflict, SetupError } from './errors.ts'
import type { NewSystem } from './fold/configuration.ts'
import { createApp, LIMITS } from './http/app.ts'
import { warningAbout } from './log/nats/connection.ts'
import { shardOf } from './log/nats/names.ts'
import { NatsLog } from './log/nats/nats-log.ts'
import { SqliteLog } from './log/sqlite-log.ts'
import { Metrics } from './metrics/metrics.ts'
import { MqttBridge } from './mqtt/bridge.ts'
import { Service } from './service/service.ts'
import { Simulation, type SimulationSetting } from './simulate/simulation.ts'

/** What a server is started with: the configuration file's fields, and a simulation where one is wanted. */
export type ServeOptions = Config & { simulate?: SimulationSetting }

/** A running server. */
export interface RunningServer {
  /** Such as `http://127.0.0.1:8400`. */
  readonly url: string
  readonly service: Service
  readonly tokens: Tokens
  /** Takes no new requests, finishes those under way, saves every state, closes the store. */
  stop(): Promise<void>
}

/** Milliseconds a stopping server waits for requests under way before it cuts them off. */
const DRAIN = 10_000
const HOUR = 3_600_000
/** Seconds a worker's lease lasts unless configured otherwise. */
const LEASE_SECONDS = 5
/** Records between two snapshots in a cluster: a takeover replays what came after the latest, for many systems at once. */
const WORKER_SNAPSHOT_EVERY = 2_000
/** Most systems of one worker of a cluster. */
const WORKER_SYSTEMS = 20_000

/**
 * Starts the service: rebuilds every system from the store, then listens.
 *
 * Without any token it listens on loopback only: everybody who can reach it may do everything.
 */
export async function serve(options: ServeOptions = {}): Promise<RunningServer> {
  const { host = '127.0.0.1', port = 8400, store = './pb-oel.db', tls, logLevel = 'info' } = options
  const https = tls && { cert: readPem(tls.cert), key: readPem(tls.key) }
  const { nats } = options
  if (nats && (options.mqtt || options.simulate)) {
    throw new SetupError(
      'a worker of a cluster takes samples over HTTP only: neither mqtt nor a simulation goes with nats',
    )
  }
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
  const service =
    log instanceof NatsLog
      ? Service.empty(log, { snapshotEvery, maxSystems: WORKER_SYSTEMS })
      : await Service.open(log, { snapshotEvery })
  metrics.watch(service)
  const limits = { ...LIMITS, ...options.limits }
  const makeSystems = async (wanted: (id: string) => boolean) => {
    for (const { id, ...given } of options.systems ?? []) {
      if (!wanted(id) || service.has(id)) continue
      await service.create(id, given as NewSystem, 'configuration').catch((error) => {
        if (!(error instanceof Conflict)) throw error
      })
    }
  }
  let note: (fields: object, text: string) => void = () => {}
  const cluster =
    log instanceof NatsLog
      ? await openCluster(log, service, tokens, {
          leaseSeconds: nats?.leaseSeconds ?? LEASE_SECONDS,
          onReady: (shard) => makeSystems((id) => shardOf(id, log.shards) === shard),
          onTrouble: (error, what) => {
            metrics.trouble()
            note({ reason: error.message }, `${what} failed; trying again`)
          },
          onChange: (shard, state, ms) => note({ shard, state, ms: Math.round(ms) }, 'shard'),
        })
      : undefined
  if (!cluster) await makeSystems(() => true)
  const simulation = options.simulate && (await Simulation.start(service, options.simulate))
  const streams = new Set<Writable>()
  let stopping = false
  const app = await createApp(
    {
      service,
      tokens,
      metrics,
      simulation,
      cluster,
      backupFolder: dirname(resolve(store)),
      stopping: () => stopping,
      streams,
      maxStreams: limits.streams,
    },
    limits,
    { logger: loggerOptions(logLevel), trustProxy: options.trustProxy ?? false, https } as FastifyServerOptions,
  )
  note = (fields, text) => app.log.info(fields, text)
  const warning = log instanceof NatsLog && warningAbout(log.cluster.nats.connection.info?.version ?? '')
  if (warning) app.log.warn(warning)
  service.onTrouble = (error, system) => {
    metrics.trouble()
    app.log.error({ system, reason: error.message }, 'a system takes no events')
  }

  const outboxes = (options.webhooks ?? []).map((hook) => {
    const outbox = new AlarmOutbox(service, hook.url, (message, signal) =>
      postAlarm(hook, message, service.clock(), signal),
    )
    outbox.onFailure = (error) => app.log.warn({ reason: error.message }, 'an alarm was not delivered; trying again')
    return outbox
  })
  const bridge = options.mqtt && new MqttBridge(service, metrics, options.mqtt)
  if (bridge) {
    bridge.onChange = (connected, reason) => app.log.info({ connected, reason }, 'mqtt')
    outboxes.push(new AlarmOutbox(service, 'mqtt', (message) => bridge.alarm(message)))
  }
  for (const outbox of outboxes) await outbox.start()
  const { retention } = options
  const upkeep = retention && setInterval(() => void service.compactAll(retention.records), HOUR)

  await app.listen({ host, port })
  const { port: bound } = app.server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  const url = `${tls ? 'https' : 'http'}://${name}:${bound}`
  await cluster?.node.join(nats?.advertise ?? url)

  let stopped: Promise<void> | undefined
  return {
    url,
    service,
    tokens,
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }

  async function stop(): Promise<void> {
    stopping = true
    clearInterval(upkeep)
    await simulation?.stop()
    await bridge?.stop()
    await Promise.all(outboxes.map((outbox) => outbox.stop()))
    // While it still listens: what arrives for the systems given away is passed on to who takes them.
    await cluster?.leave()
    // Event streams have no end of their own; streams of lines may have none.
    for (const stream of streams) stream.end()
    const cut = setTimeout(() => app.server.closeAllConnections(), DRAIN)
    // A connection whose last answer has just gone out is kept alive for a next request that will not be taken.
    const sweep = setInterval(() => app.server.closeIdleConnections(), 50)
    await app.close()
    clearTimeout(cut)
    clearInterval(sweep)
    await service.close()
  }
}

/** Structured lines without secrets: no headers, and of an address no query. */
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
