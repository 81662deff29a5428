import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { dive } from '@pb-oel/core'
import type { Result } from './benchmark.ts'
import { PostConnection } from './http-load.ts'
import { spread } from './measure.ts'
import { ServerUnderLoad } from './server-under-load.ts'

const CONNECTIONS = 32
const SYSTEMS = 200
/** Milliseconds of one turn. */
const TURN = 1_000
/** Threads that are compared; more than two where there are cores for them. */
const THREADS = [0, 1, 2, ...(availableParallelism() > 4 ? [4] : [])]

/** Single posts to the service with the systems in the main thread, and on others, in turns. */
export async function threadsCompared(seconds: number): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pb-oel-bench-'))
  const servers = await Promise.all(
    THREADS.map((threads) =>
      ServerUnderLoad.start({ store: join(folder, `${threads}.db`), systems: SYSTEMS, threads }),
    ),
  )
  try {
    const bodies = Array.from(dive({ samples: 2_000 }), ({ x }) => JSON.stringify({ values: Array.from(x) }))
    for (const { url } of servers) await rate(url, bodies, SYSTEMS)
    return [...(await compared(servers, bodies, 1, seconds)), ...(await compared(servers, bodies, SYSTEMS, seconds))]
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    rmSync(folder, { recursive: true })
  }
}

/** The rates of all servers, one turn after the other, and each turn beside those of fewer threads. */
async function compared(
  servers: readonly ServerUnderLoad[],
  bodies: readonly string[],
  systems: number,
  seconds: number,
): Promise<Result[]> {
  const rates: number[][] = servers.map(() => [])
  for (let turn = 0; turn < Math.max(3, seconds); turn++) {
    for (const [i, { url }] of servers.entries()) rates[i].push(await rate(url, bodies, systems))
  }
  const where = systems === 1 ? '1 system' : `${systems} systems`
  return THREADS.flatMap((threads, i) => {
    const name = `${where}, --threads ${threads}`
    const results: Result[] = [{ benchmark: 'server', variant: name, ...spread(rates[i]), unit: 'samples/s' }]
    const ratios = THREADS.slice(0, i).map((fewer, j): Result => {
      const turns = rates[i].map((rate, turn) => rate / rates[j][turn])
      return { benchmark: 'server', variant: `${name} : --threads ${fewer}`, ...spread(turns), unit: 'of its rate' }
    })
    return [...results, ...ratios]
  })
}

/** Samples per second of one turn. */
async function rate(url: string, bodies: readonly string[], systems: number): Promise<number> {
  const start = performance.now()
  let posted = 0
  const client = async (_: unknown, n: number) => {
    const connection = new PostConnection(url)
    for (let i = n; performance.now() < start + TURN; i += CONNECTIONS) {
      await connection.post(`/v1/systems/s${i % systems}/samples`, bodies[i % bodies.length])
      posted++
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  return (posted * 1000) / (performance.now() - start)
}
