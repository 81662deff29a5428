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

/** One open stream of lines per system, so many samples per second in each, whether or not they are answered. */
export function steadyLines(fleet: Fleet, rate: number): Load {
  const load = { answered: 0, latencies: [] as number[], stop: async () => {} }
  let running = true
  const clients = fleet.systems.map(async (id, number) => {
    const due: number[] = []
    let at = 0
    const stream = new LineStream(fleet.ownerOf(id), `/v1/systems/${id}/samples`, () => {
      load.latencies.push(performance.now() - due[at++])
      load.answered++
    })
    await setTimeout(((number / fleet.systems.length) * 1000) / rate)
    const start = performance.now()
    for (let sent = 0; running; ) {
      let text = ''
      for (; start + (sent * 1000) / rate <= performance.now(); sent++) {
        due.push(start + (sent * 1000) / rate)
        text += `${LINES[(number * 37 + sent) % LINES.length]}\n`
      }
      if (text !== '') await stream.send(text)
      await setTimeout(Math.max(STEP, start + (sent * 1000) / rate - performance.now()))
    }
    stream.end()
    await stream.ended
  })
  load.stop = async () => {
    running = false
    await Promise.all(clients)
  }
  return load
}
