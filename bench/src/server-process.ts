import { type RunningServer, serve } from '@pb-oel/server'

/** What the benchmark asks of its server. */
export type Question = ServerQuestion | 'memory' | 'processor' | 'stop'

/** A server with systems of the paper's size; those that the store has already are rebuilt. */
export interface ServerQuestion {
  store: string
  systems: number
  /** Threads that the systems are spread over; as many as usual when left out. */
  threads?: number
}

/** Memory of the server in MiB. */
export interface Memory {
  resident: number
  /** Heap and buffers after a collection. */
  used: number
}

// The server under load has a process of its own, as it has in use: its clients must not take its time.
let server: RunningServer | undefined
process.on('message', async (question: Question) => {
  if (question === 'memory') {
    // What is reachable, not what waits to be collected: only that tells whether memory grows.
    globalThis.gc?.()
    const { rss, heapUsed, arrayBuffers } = process.memoryUsage()
    const used = (heapUsed + arrayBuffers) / 2 ** 20
    process.send?.({ resident: rss / 2 ** 20, used } satisfies Memory)
  } else if (question === 'processor') {
    const { user, system } = process.cpuUsage()
    process.send?.((user + system) / 1e6)
  } else if (question === 'stop') {
    await server?.stop()
    process.exit()
  } else {
    const channels = Array.from({ length: 24 }, (_, i) => `channel ${i + 1}`)
    const systems = Array.from({ length: question.systems }, (_, i) => ({
      id: `s${i}`,
      channels,
      levels: ['I', 'II', 'III'],
    }))
    const limits = { requestsPerSecond: 1_000_000 }
    const { store, threads } = question
    server = await serve({ store, port: 0, logLevel: 'warn', systems, limits, threads })
    process.send?.(server.url)
  }
})

// Whoever asked has gone: an interrupted benchmark leaves nothing running.
process.once('disconnect', () => process.exit())
