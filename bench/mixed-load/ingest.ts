import { setTimeout } from 'node:timers/promises'
import { dive } from '@pb-oel/core'

/** What the server acknowledged: the record of each key, by system. */
export type Acknowledged = Map<string, Map<string, number>>

/** Where requests go, and as whom. */
export interface Target {
  url: string
  token: string
}

const SAMPLES = Array.from(dive({ samples: 2_000 }), ({ x }) => Array.from(x))

/**
 * The honest clients: each sends keyed samples to one system at a steady rate and answers some assessments. What is not
 * acknowledged is sent again under the same key until it is, as a plant does.
 */
export class Ingest {
  readonly acknowledged: Acknowledged = new Map()
  /** Milliseconds from the first attempt to the acknowledgement. */
  readonly latencies: number[] = []
  /** Requests that were turned away or failed, and were sent again. */
  again = 0
  private readonly target: Target

  constructor(target: Target) {
    this.target = target
  }

  /** Runs one client per system until `over`. */
  async run(systems: readonly string[], perSecond: number, over: () => boolean): Promise<void> {
    await Promise.all(systems.map((system) => this.client(system, perSecond, over)))
  }

  private async client(system: string, perSecond: number, over: () => boolean): Promise<void> {
    const kept = new Map<string, number>()
    this.acknowledged.set(system, kept)
    const start = performance.now()
    for (let n = 0; !over(); n++) {
      await setTimeout(Math.max(0, start + (n * 1000) / perSecond - performance.now()))
      const values = SAMPLES[n % SAMPLES.length]
      const { sequence, assessment } = await this.post(system, 'samples', { values, key: `s${n}` })
      kept.set(`s${n}`, sequence as number)
      if (n % 4 > 0) continue
      const kind = n % 12 === 0 ? 'reject' : 'confirm'
      const answer = await this.post(system, 'feedback', { assessment, kind, key: `a${n}` })
      kept.set(`a${n}`, answer.sequence as number)
    }
  }

  private async post(system: string, what: string, body: object): Promise<Record<string, unknown>> {
    const { url, token } = this.target
    const start = performance.now()
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    for (;;) {
      try {
        const options = { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(30_000) }
        const response = await fetch(`${url}/v1/systems/${system}/${what}`, options)
        const answer = (await response.json()) as Record<string, unknown>
        if (response.status === 200) {
          this.latencies.push(performance.now() - start)
          return answer
        }
        if (response.status < 500 && response.status !== 429) throw new Refused(JSON.stringify(answer))
      } catch (error) {
        if (error instanceof Refused) throw error
      }
      this.again++
      await setTimeout(100)
    }
  }
}

/** A request that no repetition makes right: the load itself is wrong. */
class Refused extends Error {}
