import { dirname, resolve } from 'node:path'
import { isLoopback } from '../auth/guard.ts'
import { Tokens } from '../auth/tokens.ts'
import { Backups } from '../backup/backups.ts'
import { systemClock } from '../clock/clock.ts'
import { SetupError } from '../errors.ts'
import { NatsLog } from '../log/nats/nats-log.ts'
import { SqliteLog } from '../log/sqlite-log.ts'
import { Metrics } from '../metrics/metrics.ts'
import { LocalReading } from '../reading/local-reading.ts'
import { ThreadedReading } from '../reading/threaded-reading.ts'
import { Service } from '../service/service.ts'
import { OwnedSimulation } from '../simulate/owned-simulation.ts'
import { Telemetry } from '../telemetry/telemetry.ts'
import { canLeave, openSeats } from './open-seats.ts'
import type { Closers, Parts } from './parts.ts'
import type { ServeOptions } from './serve-options.ts'
import type { TlsFiles } from './start-checks.ts'

/** Records between two snapshots in a cluster: a takeover replays those after the latest, for many systems at once. */
const WORKER_SNAPSHOT_EVERY = 2_000
/** Most systems of one worker of a cluster. */
const WORKER_SYSTEMS = 20_000

/** Opens the log and everything that stands on it; nothing of it runs yet. */
export async function openParts(options: ServeOptions, https: TlsFiles | undefined, closers: Closers): Promise<Parts> {
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
