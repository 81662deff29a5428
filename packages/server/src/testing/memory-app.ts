import { tmpdir } from 'node:os'
import { Tokens } from '../auth/tokens.ts'
import { createApp } from '../http/app.ts'
import { LIMITS } from '../http/limits.ts'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { Metrics } from '../metrics/metrics.ts'
import { Service } from '../service/service.ts'
import { PLANT } from './local-server.ts'

/** The application over a log in memory, to be asked by `app.inject`. */
export async function memoryApp(limits = {}, clock: () => number = Date.now) {
  const log = new MemoryLog()
  const service = await Service.open(log, { clock })
  await service.create('plant', PLANT, 'test')
  const tokens = await Tokens.open(log)
  const metrics = new Metrics()
  metrics.watch(service)
  const context = {
    service,
    tokens,
    metrics,
    backupFolder: tmpdir(),
    stopping: () => false,
    streams: new Set<never>(),
    maxStreams: 10,
  }
  const app = await createApp(context, { ...LIMITS, ...limits })
  await app.ready()
  return { app, service, tokens, log }
}
