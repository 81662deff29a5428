import { tmpdir } from 'node:os'
import type { SystemRequest } from '@pb-oel/protocol'
import { createApp } from '../app.ts'
import { Tokens } from '../auth/tokens.ts'
import { Backups } from '../backup/backups.ts'
import { clockOf } from '../clock/testing/clock-of.ts'
import { LIMITS } from '../http/limits.ts'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { Metrics } from '../metrics/metrics.ts'
import { LocalReading } from '../reading/local-reading.ts'
import { ThreadSeats } from '../seat/thread-seats.ts'
import { Service } from '../service/service.ts'
import { PLANT } from './local-server.ts'

/**
 * The application over a log in memory, to be asked by `app.inject`. Its systems are in this thread, unless the
 * environment asks for others.
 */
export async function memoryApp<L extends MemoryLog = MemoryLog>(
  limits = {},
  clock: () => number = Date.now,
  log = new MemoryLog() as L,
  plant: SystemRequest = PLANT,
) {
  const threads = Number(process.env.PB_OEL_TEST_THREADS ?? 0)
  const service = await Service.open(log, {
    clock: clockOf(clock),
    seats: threads > 0 ? new ThreadSeats(log, { threads }) : undefined,
  })
  await service.create('plant', plant, 'test')
  const tokens = await Tokens.open(log)
  const metrics = new Metrics()
  metrics.watch(service)
  const context = {
    service,
    reading: new LocalReading(log),
    tokens,
    metrics,
    backups: new Backups(log, tmpdir(), clock),
    stopping: () => false,
    streams: new Set<never>(),
    maxStreams: 10,
  }
  const app = await createApp(context, { ...LIMITS, ...limits })
  await app.ready()
  return { app, service, tokens, log, metrics }
}
