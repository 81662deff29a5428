import type { Writable } from 'node:stream'
import type { Tokens } from '../auth/tokens.ts'
import type { Backups } from '../backup/backups.ts'
import type { Bridges } from '../bridges/bridges.ts'
import type { NatsLog } from '../log/nats/nats-log.ts'
import type { SqliteLog } from '../log/sqlite-log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Broker } from '../mqtt/broker.ts'
import type { Reading } from '../reading/reading.ts'
import type { ThreadSeats } from '../seat/thread-seats.ts'
import type { Service } from '../service/service.ts'
import type { OwnedSimulation } from '../simulate/owned-simulation.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { ServeOptions } from './serve-options.ts'
import type { TlsFiles } from './start-checks.ts'

/** What the parts of a server share while it is put together. */
export interface Parts {
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
export type Closers = (() => Promise<unknown>)[]
