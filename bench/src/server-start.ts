import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { dive } from '@pb-oel/core'
import type { Result } from './benchmark.ts'
import { LineStream, PostConnection } from './http-load.ts'
import { spread } from './measure.ts'
import { ServerUnderLoad } from './server-under-load.ts'

const SYSTEMS = 200
/** Samples per system before the kill: a run of 10 seconds and more has them all. */
const SAMPLES = 5_000
const SAMPLES_PER_SECOND = 500
/** Systems that are filled at once, and lines sent at once. */
const [AT_ONCE, LINES] = [8, 250]

/** How long a killed server takes until it answers again, and until all its systems are there. */
export async function startAfterKill(seconds: number): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pb-oel-bench-'))
  const store = join(folder, 'bench.db')
  const samples = Math.min(SAMPLES, Math.round(seconds * SAMPLES_PER_SECOND))
  try {
    const before = await ServerUnderLoad.start({ store, systems: SYSTEMS })
    const filling = performance.now()
    await fill(before.url, samples)
    const filled = (SYSTEMS * samples * 1000) / (performance.now() - filling)
    await before.kill()
    const start = performance.now()
    const server = await ServerUnderLoad.start({ store, systems: SYSTEMS })
    const since = () => (performance.now() - start) / 1000
    const listening = since()
    await firstAnswer(server.url)
    const first = since()
    while ((await fetch(`${server.url}/readyz`)).status !== 200) await setTimeout(20)
    const all = since()
    const processor = await server.processorSeconds()
    await server.kill()
    const name = `${SYSTEMS} systems × ${samples}`
    const row = (what: string, value: number, unit: string): Result => {
      return { benchmark: 'server', variant: `start after a kill, ${name}, ${what}`, ...spread([value]), unit }
    }
    return [
      row('filled', filled, 'samples/s'),
      row('until it listens', listening, 's'),
      row('until the first answer', first, 's'),
      row('until all systems are there', all, 's'),
      // On a busy machine this says more than the clock: the work that a start is.
      row('time on all cores until then', processor, 's'),
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Streams samples into every system, some systems at a time and all of them in turns, as a fleet does. */
async function fill(url: string, samples: number): Promise<void> {
  const lines = Array.from(dive({ samples: 2_000 }), ({ x }) => `${JSON.stringify({ values: Array.from(x) })}\n`)
  for (let done = 0; done < samples; done += LINES) {
    const waiting = Array.from({ length: SYSTEMS }, (_, i) => i)
    const text = Array.from({ length: Math.min(LINES, samples - done) }, (_, i) => lines[(done + i) % 2_000]).join('')
    const worker = async () => {
      for (let system = waiting.shift(); system !== undefined; system = waiting.shift()) {
        const stream = new LineStream(url, `/v1/systems/s${system}/samples`, () => {})
        await stream.send(text)
        stream.end()
        await stream.ended
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
  }
}

/** Asks until a sample is assessed. */
async function firstAnswer(url: string): Promise<void> {
  const values = Array.from(dive({ samples: 1 }), ({ x }) => Array.from(x))[0]
  for (;;) {
    const connection = new PostConnection(url)
    const answered = await connection.post(`/v1/systems/s${SYSTEMS - 1}/samples`, JSON.stringify({ values })).then(
      () => true,
      () => false,
    )
    connection.close()
    if (answered) return
    await setTimeout(20)
  }
}
