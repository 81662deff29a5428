import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { dive } from '@pb-oel/core'
import type { Benchmark, Result } from './benchmark.ts'
import { EventReader, LineStream, PostConnection } from './http-load.ts'
import { spread } from './measure.ts'
import type { Memory } from './server-process.ts'
import { startAfterKill } from './server-start.ts'
import { threadsCompared } from './server-threads.ts'
import { quantile, ServerUnderLoad } from './server-under-load.ts'

const CONNECTIONS = 32
const SYSTEMS = 50
const MANY_SYSTEMS = 200
/** Clients that follow the events of the system that is posted to, and clients that read all of its past meanwhile. */
const FOLLOWERS = 50
const CATCHING_UP = 10
/** Samples per second of each of them. */
const RATE = 20

/** The service over loopback, PB-OEL with N = 10 and d = 24, every answer on disk before it is sent. */
export const serverBench: Benchmark = {
  name: 'server',
  summary: `durable samples over HTTP: one stream of lines; ${CONNECTIONS} connections of single posts, also with ${FOLLOWERS} live subscribers, with ${CATCHING_UP} catch-up readers, over ${MANY_SYSTEMS} systems; ${SYSTEMS} systems at ${RATE}/s with feedback; systems in the main thread beside systems on threads; a start after a kill with ${MANY_SYSTEMS} systems`,
  async run({ seconds }) {
    return [
      ...(await underLoad(seconds)),
      ...(await threadsCompared(Math.min(seconds, 10))),
      ...(await startAfterKill(seconds)),
    ]
  },
}

/** Everything that is measured on one server. */
async function underLoad(seconds: number): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pb-oel-bench-'))
  const server = await ServerUnderLoad.start({ store: join(folder, 'bench.db'), systems: MANY_SYSTEMS })
  const { url } = server
  try {
    const lines = Array.from(dive({ samples: 2_000 }), ({ x }) => JSON.stringify({ values: Array.from(x) }))
    await streamed(url, lines, 1)
    // A rate is known after some seconds; only the last part gains from hours: --seconds 600 is ten minutes of it.
    const short = Math.min(seconds, 10)
    return [
      ...(await streamed(url, lines, short)),
      ...(await posted(server, lines, short)),
      ...(await withFollowers(server, lines, short)),
      ...(await withCatchUp(server, lines, short)),
      ...(await posted(server, lines, short, { name: `${MANY_SYSTEMS} systems, `, systems: MANY_SYSTEMS })),
      ...(await together(url, lines, seconds, () => server.memory())),
    ]
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

const result = (variant: string, values: readonly number[], unit: string): Result => ({
  benchmark: 'server',
  variant,
  ...spread(values),
  unit,
})

/** As fast as one connection goes. */
async function streamed(url: string, lines: readonly string[], seconds: number): Promise<Result[]> {
  let answered = 0
  const stream = new LineStream(url, '/v1/systems/s0/samples', () => answered++)
  const rates: number[] = []
  const end = performance.now() + Math.max(1, seconds) * 1000
  let mark = { time: performance.now(), answered: 0 }
  for (let n = 0; performance.now() < end; n++) {
    await stream.send(`${lines[n % lines.length]}\n`)
    // A turn for the answers: without it a client that never waits would not read.
    if (n % 100 === 0) await setTimeout(0)
    const now = performance.now()
    if (now - mark.time >= 500) {
      rates.push(((answered - mark.answered) * 1000) / (now - mark.time))
      mark = { time: now, answered }
    }
  }
  stream.end()
  await stream.ended
  return [result('stream of lines', rates, 'samples/s')]
}

/** Single posts from many connections, each waiting for its answer; to one system, or to each of many in turn. */
async function posted(
  server: ServerUnderLoad,
  lines: readonly string[],
  seconds: number,
  { name = '', systems = 1 } = {},
): Promise<Result[]> {
  const latencies: number[] = []
  const end = performance.now() + Math.max(1, seconds) * 1000
  const [start, worked] = [performance.now(), await server.processorSeconds()]
  const client = async (_: unknown, n: number) => {
    const connection = new PostConnection(server.url)
    for (let i = n; performance.now() < end; i += CONNECTIONS) {
      const sent = performance.now()
      await connection.post(`/v1/systems/s${1 + ((i % systems) % (MANY_SYSTEMS - 1))}/samples`, lines[i % lines.length])
      latencies.push(performance.now() - sent)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  const rate = (latencies.length * 1000) / (performance.now() - start)
  const processor = ((await server.processorSeconds()) - worked) * 1000
  return [
    result(`${name}${CONNECTIONS} connections`, [rate], 'samples/s'),
    result(`${name}${CONNECTIONS} connections, latency`, latencies, 'ms'),
    result(`${name}${CONNECTIONS} connections, p99`, [quantile(latencies, 0.99)], 'ms'),
    // On a busy machine this says more than the clock: what a sample costs all threads of the server together.
    result(`${name}${CONNECTIONS} connections, time on all cores`, [processor / latencies.length], 'ms per sample'),
  ]
}

/** The same while many follow what happens. */
async function withFollowers(server: ServerUnderLoad, lines: readonly string[], seconds: number): Promise<Result[]> {
  const name = `${FOLLOWERS} live subscribers, `
  return beside(server.url, '/v1/systems/s1/events', FOLLOWERS, () => posted(server, lines, seconds, { name }))
}

/** The same while some read everything from the beginning, again and again. */
async function withCatchUp(server: ServerUnderLoad, lines: readonly string[], seconds: number): Promise<Result[]> {
  const name = `${CATCHING_UP} catch-up readers, `
  return beside(server.url, '/v1/systems/s0/events?after=0', CATCHING_UP, () =>
    posted(server, lines, seconds, { name }),
  )
}

/** Runs a measurement beside readers of a stream; a reader that fails fails it. */
async function beside(url: string, path: string, count: number, measure: () => Promise<Result[]>): Promise<Result[]> {
  const readers = Array.from({ length: count }, () => new EventReader(url, path))
  await setTimeout(200)
  const results = await measure()
  const bytes = readers.reduce((sum, reader) => sum + reader.close(), 0)
  const [{ variant }] = results
  return [...results, result(`${variant}, read meanwhile`, [bytes / 2 ** 20], 'MiB')]
}

/** Many systems at a steady rate, every second assessment answered; how late, and whether memory grows. */
async function together(
  url: string,
  lines: readonly string[],
  seconds: number,
  memory: () => Promise<Memory>,
): Promise<Result[]> {
  const latencies: number[] = []
  const sizes: Memory[] = []
  const end = performance.now() + Math.max(2, seconds) * 1000
  let samples = 0
  const system = async (_: unknown, n: number) => {
    const sent: number[] = []
    let answers = 0
    const feedback = new LineStream(url, `/v1/systems/s${n}/feedback`, () => answers++)
    const stream = new LineStream(url, `/v1/systems/s${n}/samples`, (line) => {
      latencies.push(performance.now() - (sent.shift() as number))
      samples++
      const assessment = Number(line.match(/"assessment":(\d+)/)?.[1])
      if (assessment % 2 === 0)
        void feedback.send(`{"assessment":${assessment},"kind":"${assessment % 3 === 0 ? 'reject' : 'confirm'}"}\n`)
    })
    await setTimeout((n * 1000) / RATE / SYSTEMS)
    const start = performance.now()
    for (let i = 0; performance.now() < end; i++) {
      await setTimeout(Math.max(0, start + (i * 1000) / RATE - performance.now()))
      sent.push(performance.now())
      await stream.send(`${lines[(n * 37 + i) % lines.length]}\n`)
    }
    stream.end()
    await stream.ended
    feedback.end()
    await feedback.ended
  }
  const watch = async () => {
    while (performance.now() < end) {
      sizes.push(await memory())
      await setTimeout(Math.max(200, seconds * 10))
    }
  }
  const start = performance.now()
  await Promise.all([...Array.from({ length: SYSTEMS }, system), watch()])
  const name = `${SYSTEMS} systems`
  // The threads of the systems have heaps of their own, which only the process as a whole shows.
  const used = sizes.map(({ resident }) => resident)
  // The first third warms up: the rings of open questions fill, code is compiled.
  const third = (n: number) => used.slice((n * used.length) / 3, ((n + 1) * used.length) / 3)
  return [
    result(name, [(samples * 1000) / (performance.now() - start)], 'samples/s'),
    result(`${name}, latency`, latencies, 'ms'),
    result(`${name}, p99`, [quantile(latencies, 0.99)], 'ms'),
    result(`${name}, resident memory`, used, 'MiB'),
    result(
      `${name}, resident memory, last third : middle third`,
      [spread(third(2)).median / spread(third(1)).median],
      'of its size',
    ),
  ]
}
