import { setTimeout } from 'node:timers/promises'
import { send } from './requests.ts'

/** What an answer said about a sample or a feedback. */
export interface Acknowledged {
  sequence: number
  assessment: number
}

/** Milliseconds a request may take before it is made again elsewhere. */
const TIMEOUT = 15_000
/** Milliseconds after which clients give up. */
const PATIENCE = 300_000

/**
 * Clients of many systems, each sending a second's samples and then answers to a third of them, through any worker,
 * again under the same keys until each is acknowledged.
 */
export class FleetClients {
  /** By system, by key. */
  readonly acknowledged = new Map<string, Map<string, Acknowledged>>()
  /** Addresses of the workers that may be asked. */
  urls: string[]
  /** Samples in one request: a second of one system. */
  private readonly lines: number
  private stopped = false
  private turn = 0
  /** The latest reason why nothing came back, by system. */
  private readonly trouble = new Map<string, unknown>()

  constructor(systems: readonly string[], urls: string[], lines: number) {
    for (const system of systems) this.acknowledged.set(system, new Map())
    this.urls = urls
    this.lines = lines
  }

  /** Everything acknowledged so far. */
  get count(): number {
    return [...this.acknowledged.values()].reduce((sum, keys) => sum + keys.size, 0)
  }

  /** Runs until {@link stop}; what is under way is finished. */
  async run(): Promise<void> {
    const systems = [...this.acknowledged.keys()]
    await Promise.all(systems.map((system, i) => this.one(system, (1_000 * i) / systems.length)))
  }

  stop(): void {
    this.stopped = true
  }

  private async one(system: string, offset: number): Promise<void> {
    await setTimeout(offset)
    let number = 0
    for (let due = performance.now(); !this.stopped; due += 1_000) {
      const samples = Array.from({ length: this.lines }, () => {
        const n = number++
        return { key: `s${n}`, values: [n % 7, (n * n) % 11, -n % 5, n / 3] }
      })
      const assessments = await this.through(system, 'samples', samples)
      const answers = assessments
        .filter((assessment) => assessment % 3 === 0)
        .map((assessment) => ({
          ...{ key: `f${assessment}`, assessment },
          ...(assessment % 4 === 0
            ? { kind: 'label', level: assessment % 3 }
            : { kind: assessment % 2 ? 'confirm' : 'reject' }),
        }))
      await this.through(system, 'feedback', answers)
      await setTimeout(Math.max(0, due + 1_000 - performance.now()))
      // After an outage it goes on at its usual pace.
      due = Math.max(due, performance.now() - 1_000)
    }
  }

  /** Sends lines until each is acknowledged; returns the numbers of the assessments. */
  private async through(system: string, what: string, lines: readonly { key: string }[]): Promise<number[]> {
    const keys = this.acknowledged.get(system) as Map<string, Acknowledged>
    const assessments: number[] = []
    const end = performance.now() + PATIENCE
    for (let open = lines; open.length > 0; ) {
      const answers = await this.attempt(system, what, open)
      if (performance.now() > end) {
        const last = JSON.stringify(answers[0] ?? this.trouble.get(system))
        throw new Error(`${system}: ${open.length} ${what} not acknowledged in ${PATIENCE} ms, last answer ${last}`)
      }
      open = open.filter(({ key }, i) => {
        const answer = answers[i]
        if (answer === undefined || answer.status >= 500) return true
        // A question that is no longer kept is the clients' loss, not the server's.
        if (answer.status !== undefined) return false
        keys.set(key, { sequence: answer.sequence, assessment: answer.assessment })
        assessments.push(answer.assessment)
        return false
      })
      if (open.length > 0) await setTimeout(100)
    }
    return assessments
  }

  // biome-ignore lint/suspicious/noExplicitAny: an answer or a problem document
  private async attempt(system: string, what: string, lines: readonly object[]): Promise<any[]> {
    const url = `${this.urls[this.turn++ % this.urls.length]}/v1/systems/${system}/${what}`
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    try {
      const answer = send(url, 'POST', text, { 'content-type': 'application/x-ndjson' })
      const { status, body } = (await Promise.race([answer, setTimeout(TIMEOUT)])) ?? { status: 0, body: '' }
      if (status !== 200) {
        this.trouble.set(system, status === 0 ? `no answer in ${TIMEOUT} ms` : body)
        return []
      }
      return body
        .trim()
        .split('\n')
        .map((line: string) => JSON.parse(line))
    } catch (error) {
      this.trouble.set(system, (error as Error).message)
      return []
    }
  }
}
