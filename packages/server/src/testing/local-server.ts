import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type RunningServer, serve } from '../serve.ts'
import type { ServeOptions } from '../start/serve-options.ts'
import { temporaryFolder } from './folder.ts'

/** A system small enough that tests are quick. */
export const PLANT = {
  id: 'plant',
  channels: ['pressure', 'temperature'],
  levels: ['safe', 'odd', 'unsafe'],
  method: 'pb-oel',
  options: { experts: 3, pending: 64 },
}

/** A server in this process with one small system; stopped after the tests of the file. */
export async function localServer(options: ServeOptions = {}): Promise<RunningServer> {
  const folder = temporaryFolder()
  const server = await serve({
    store: join(folder, 'test.db'),
    port: 0,
    logLevel: 'silent',
    systems: [PLANT],
    ...options,
  })
  await server.recovered
  afterAll(() => server.stop())
  return server
}
