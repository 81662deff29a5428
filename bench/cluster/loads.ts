import { setTimeout } from 'node:timers/promises'
import { dive } from '@pb-oel/core'
import { LineStream, PostConnection } from '../src/http-load.ts'
import type { Fleet } from './fleet.ts'

/** A load that runs until it is stopped. */
export interface Load {
  /** Samples answered so far. */
  readonly answered: number
  /** Milliseconds from when a sample was due to when it was answered; emptied by whoever reads them. */
  latencies: number[]
  stop(): Promise<void>
}

const LINES = Array.from(dive({ samples: 2_000 }), ({ x }) => JSON.stringify({ values: Array.from(x) }))
/** Milliseconds between two looks at what is due: a client that sleeps for each sample is what would be measured. */
const STEP = 10

/** One connection per system, the next sample when the last one is answered. */
export function singlePosts(fleet: Fleet): Load {
  const load = { answered: 0, latencies: [] as number[], stop: async () => {} }
  let running = true
  const clients = fleet.systems.map(async (id, number) => {
    const connection = new PostConnection(fleet.ownerOf(id))
    for (let i = number; running; i++) {
      const sent = performance.now()
      await connection.post(`/v1/systems/${id}/samples`, LINES[i % LINES.length])
      load.latencies.push(performance.now() - sent)
      load.answered++
    }
    connection.close()
  })
  load.stop = async () => {
    running = false
    await Promise.all(clients)
  }
  return load
}

/**
 * One open stream of lines per system, so many samples per second in each, whether or not they are answered. A stream
 * that breaks is opened anew at the worker that has the system then.
 */
export function steadyLines(fleet: Fleet, rate: number): Load {
  const load = { answered: 0, latencies: [] as number[], stop: async () => {} }
  const state = { running: true }
  const clients = fleet.systems.map(async (id, number) => {
    await setTimeout(((number / fleet.systems.length) * 1000) / rate)
    while (state.running) {
      await streamLines(fleet.ownerOf(id), id, rate, load, state).catch(() => {})
      if (state.running) await setTimeout(100)
    }
  })
  load.stop = async () => {
    state.running = false
    await Promise.all(clients)
  }
  return load
}

/** Sends lines until the load ends, the connection breaks or the worker says that the system is elsewhere. */
async function streamLines(
  url: string,
  id: string,
  rate: number,
  load: Pick<Load, 'latencies'> & { answered: number },
  state: { running: boolean },
): Promise<void> {
  const due: number[] = []
  let [at, broken] = [0, false]
  const stream = new LineStream(url, `/v1/systems/${id}/samples`, (line) => {
    if (!line.includes('"assessment"')) broken = true
    else load.answered++
    load.latencies.push(performance.now() - due[at++])
  })
  const end = () => {
    broken = true
  }
  stream.ended.then(end, end)
  const start = performance.now()
  for (let sent = 0; state.running && !broken; ) {
    let text = ''
    for (; start + (sent * 1000) / rate <= performance.now(); sent++) {
      due.push(start + (sent * 1000) / rate)
      text += `${LINES[sent % LINES.length]}\n`
    }
    // A connection that has broken takes nothing more.
    if (text !== '') await Promise.race([stream.send(text), stream.ended])
    await setTimeout(Math.max(STEP, start + (sent * 1000) / rate - performance.now()))
  }
  stream.end()
  await stream.ended
}
