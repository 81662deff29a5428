import type { AddressInfo } from 'node:net'
import type { Writable } from 'node:stream'
import { systemClock } from '../clock/clock.ts'
import type { App } from '../http/context.ts'
import type { UnusedConnections } from '../http/unused-connections.ts'
import type { ServeOptions } from './serve-options.ts'
import { addressError } from './start-checks.ts'

/** Milliseconds a stopping server waits for requests under way before it cuts them off. */
const DRAIN = 10_000

/** Takes requests from now on. Returns the address, such as `http://127.0.0.1:8400`. */
export async function listen(app: App, { host = '127.0.0.1', port = 8400, tls }: ServeOptions): Promise<string> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw addressError(error as Error, host, port)
  }
  const { port: bound } = app.server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  return `${tls ? 'https' : 'http'}://${name}:${bound}`
}

/** Finishes the requests under way and closes every connection. */
export async function closeApp(app: App, streams: ReadonlySet<Writable>, unused: UnusedConnections): Promise<void> {
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
