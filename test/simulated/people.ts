import type { Random } from '@pb-oel/core'
import type { Answered } from './http-client.ts'
import type { World } from './world.ts'

/** Names of the systems of a world. */
export const SYSTEMS = ['boat', 'plant'] as const

const METHODS = ['no-change', 'majority', 'pb-oel'] as const

/** A system of any kind, trained from the start. */
export function plantOf(random: Random) {
  const method = METHODS[random.integer(METHODS.length)]
  const warmUp = Array.from({ length: 10 }, (_, i) => ({ x: [i % 2, 1], level: i % 2 }))
  return {
    ...{ method, channels: ['pressure', 'heat'], levels: ['safe', 'unsafe'] },
    options: { warmUp, ...(method === 'pb-oel' && { experts: 2 }) },
    alarm: { level: 1, clearBelow: 1, raiseAfter: random.integer(3), clearAfter: 0 },
    stale: { after: 20 },
  }
}

/** Those who send samples, answer, and look. Each repeats what was not acknowledged until it is. */
export class People {
  /** Inputs that nobody has acknowledged yet. */
  unheard = 0
  private readonly world: World
  private readonly random: Random
  private readonly assessed = new Map<string, number[]>()
  /** Systems that are known to be there. */
  private readonly made: string[] = []
  private count = 0

  constructor(world: World) {
    this.world = world
    this.random = world.random
  }

  /** Makes the systems. */
  found(): void {
    for (const id of SYSTEMS) this.create(id)
  }

  /** A sensor sends a sample over HTTP. */
  sample(): void {
    const system = this.anySystem()
    if (system === undefined) return
    const key = `h${this.count++}`
    this.insist(`/v1/systems/${system}/samples`, { ...this.reading(), key }, ({ body: { sequence, assessment } }) => {
      this.world.witness.heard(system, key, { sequence, assessment })
      this.note(system, assessment)
    })
  }

  /** A sensor publishes a sample. */
  publish(): void {
    const system = this.anySystem()
    if (system === undefined) return
    const id = `m${this.count++}`
    this.unheard++
    let first = true
    this.world.broker.publish(`pb-oel/${system}/sample`, JSON.stringify({ ...this.reading(), id }), () => {
      this.world.witness.heard(system, `mqtt:${id}`, {})
      if (first) this.unheard--
      first = false
    })
  }

  /** A reviewer answers one of the latest assessments. */
  answer(): void {
    const system = this.anySystem()
    const latest = this.assessed.get(system ?? '') ?? []
    if (system === undefined || latest.length === 0) return
    const assessment = latest[this.random.integer(latest.length)]
    const key = `a${this.count++}`
    const kind = ['label', 'label', 'confirm', 'reject'][this.random.integer(4)]
    const level = kind === 'label' ? { level: this.random.integer(2) } : {}
    const answer = { assessment, kind, ...level, key, by: 'ann' }
    this.insist(`/v1/systems/${system}/feedback`, answer, ({ body: { sequence } }) =>
      this.world.witness.heard(system, key, { sequence }),
    )
  }

  /** Somebody looks. */
  look(): void {
    const system = this.anySystem()
    const paths = ['', '/state', '/log?latest=true&limit=1', '/queue', '/samples?limit=5']
    const one = this.random.integer(paths.length + 1)
    const url = one === paths.length ? '/v1/systems' : `/v1/systems/${system}${paths[one]}`
    this.world.http.send({ method: 'GET', url }, () => {})
  }

  /** Somebody has seen the latest alarm. */
  acknowledge(): void {
    const system = this.anySystem()
    const { about, number } = this.world.witness.alarms(system ?? '').at(-1) ?? {}
    if (number === undefined) return
    const payload = { number, by: 'max', ...(about && { about }) }
    this.world.http.send({ method: 'POST', url: `/v1/systems/${system}/alarm/acknowledge`, payload }, () => {})
  }

  /** An administrator removes old records. */
  compact(): void {
    const payload = { keep: 5 + this.random.integer(40) }
    this.world.http.send({ method: 'POST', url: `/v1/systems/${this.anySystem()}/compact`, payload }, () => {})
  }

  private create(id: string): void {
    this.insist('/v1/systems', { id, ...plantOf(this.random) }, () => void this.made.push(id))
  }

  /** Posts until the server takes it, or says for good that it does not. */
  private insist(url: string, payload: object, taken: (answered: Answered) => void): void {
    this.unheard++
    const attempt = () =>
      this.world.http.send({ method: 'POST', url, payload }, (answered) => {
        const { status = 0 } = answered ?? {}
        if (answered && status < 300) {
          this.unheard--
          taken(answered)
        } else if (status === 409 && url === '/v1/systems') {
          // It was made, and the answer got lost.
          this.unheard--
          taken({ status, body: {} })
        } else if (status >= 500 || !answered) {
          this.world.clock.after(200 + this.random.integer(2_000), attempt)
        } else this.refused(url, answered)
      })
    attempt()
  }

  /** Only an answer may be refused for good: it may come too late, or not fit the one before. */
  private refused(url: string, { status, body }: Answered): void {
    this.unheard--
    if (!url.endsWith('/feedback')) this.world.witness.fail(`${url} is refused with ${status}: ${body.detail}`)
  }

  private reading(): { values: number[] } {
    return { values: [this.random.integer(2), this.random.uniform()] }
  }

  private note(system: string, assessment: number): void {
    const latest = this.assessed.get(system) ?? []
    this.assessed.set(system, [...latest, assessment].slice(-20))
  }

  private anySystem(): string | undefined {
    return this.made[this.random.integer(this.made.length)]
  }
}
