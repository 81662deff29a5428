import { setTimeout } from 'node:timers/promises'
import type { Target } from './ingest.ts'

/** Follows the events of a system, breaks off again and again, and comes back where it was. */
export class EventFollower {
  /** Events that came out of order or twice. */
  readonly wrong: string[] = []
  /** Numbers of the assessment events that came. */
  readonly seen = new Set<number>()
  reconnects = 0
  private last = 0
  private readonly target: Target
  private readonly system: string

  constructor(target: Target, system: string) {
    this.target = target
    this.system = system
  }

  /** Follows until `over`, and then until the record `until` has come. */
  async run(over: () => boolean, until: () => number): Promise<void> {
    while (!over() || this.last < until()) {
      const broken = new AbortController()
      void setTimeout(over() ? 10_000 : 1_000 + 4_000 * Math.random()).then(() => broken.abort())
      await this.follow(broken.signal, () => over() && this.last >= until()).catch(() => {})
      this.reconnects++
      await setTimeout(100)
    }
  }

  private async follow(signal: AbortSignal, done: () => boolean): Promise<void> {
    const { url, token } = this.target
    const response = await fetch(`${url}/v1/systems/${this.system}/events?after=${this.last}&kinds=assessment`, {
      headers: { authorization: `Bearer ${token}` },
      signal,
    })
    if (response.status !== 200 || !response.body) return
    let rest = ''
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      const blocks = (rest + Buffer.from(chunk).toString()).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) this.note(Number(block.match(/^id: ?(\d+)$/m)?.[1]))
      if (done()) return
    }
  }

  private note(id: number): void {
    if (!Number.isFinite(id)) return
    if (id <= this.last) this.wrong.push(`${this.system}: event ${id} after ${this.last}`)
    this.last = id
    this.seen.add(id)
  }
}
