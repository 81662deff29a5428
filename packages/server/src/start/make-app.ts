import type { FastifyServerOptions } from 'fastify'
import { createApp } from '../app.ts'
import type { Cluster } from '../cluster/open-cluster.ts'
import type { App, Context } from '../http/context.ts'
import { LIMITS } from '../http/limits.ts'
import { weaknessOf } from '../log/nats/connection.ts'
import { NatsLog } from '../log/nats/nats-log.ts'
import type { SqliteLog } from '../log/sqlite-log.ts'
import { warningAboutSqlite } from '../log/sqlite-version.ts'
import { alsoTelling, loggerOptions } from './logging.ts'
import type { Parts } from './parts.ts'

/** Makes the HTTP application, and gives the server a log of its own to write to. */
export async function makeApp(parts: Parts, cluster: Cluster | undefined): Promise<{ app: App; context: Context }> {
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
