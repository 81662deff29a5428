import type { Tokens } from './auth/tokens.ts'
import type { App, Context } from './http/context.ts'
import { UnusedConnections } from './http/unused-connections.ts'
import type { Service } from './service/service.ts'
import { beginRecovery } from './start/begin-recovery.ts'
import { closeApp, listen } from './start/listen.ts'
import { makeApp } from './start/make-app.ts'
import { makeBridges } from './start/make-bridges.ts'
import { makeOutboxes } from './start/make-outboxes.ts'
import { makeSystems } from './start/make-systems.ts'
import { openParts } from './start/open-parts.ts'
import type { Closers, Parts } from './start/parts.ts'
import { prepareCluster } from './start/prepare-cluster.ts'
import type { ServeOptions } from './start/serve-options.ts'
import { checkStart, type TlsFiles } from './start/start-checks.ts'
import { scheduleBackups, scheduleRetention } from './start/upkeep.ts'

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
  const cluster = await prepareCluster(parts)
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
  const { simulation } = parts
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
  const stopCompacting = scheduleRetention(parts)
  closers.push(async () => stopCompacting())
  const stopCopying = scheduleBackups(parts, context.cluster?.node)
  closers.push(async () => stopCopying())
}
