import type { JoinRule } from '@pb-oel/protocol'
import type { Joiner, JoinerContext } from './joiner.ts'
import type { Reading } from './reading.ts'

/** Milliseconds after which it is said which channels nothing has come for. */
const PATIENCE = 30_000

/** The latest value of a channel, and when it came by the monotonic clock. */
interface Latest {
  value: number | null
  came: number
}

/**
 * The latest value of every channel is a sample: at each reading, or every so often. It begins when each channel has
 * been told once. A value that lasts too long, or whose source is gone, is missing.
 */
export class LatestJoiner implements Joiner {
  private readonly context: JoinerContext
  private readonly every: number | undefined
  private readonly lasts: number
  private readonly latest = new Map<string, Latest>()
  private readonly enders: (() => void)[] = []
  /** Readings since the latest sample, with `every`. */
  private waiting: (() => void)[] = []

  constructor({ every, lasts = Number.POSITIVE_INFINITY }: Pick<JoinRule, 'every' | 'lasts'>, context: JoinerContext) {
    this.context = context
    this.every = every
    this.lasts = lasts
    const { clock, warn, channels } = context
    if (every !== undefined) this.enders.push(clock.every(every, () => void this.sample()))
    const look = () => {
      const silent = channels.filter((channel) => !this.latest.has(channel))
      if (silent.length > 0)
        warn({ channels: silent.slice(0, 20) }, 'no sample yet: nothing has come for these channels')
    }
    this.enders.push(clock.after(PATIENCE, look))
  }

  async add({ values, at, key }: Reading): Promise<void> {
    const { clock, name } = this.context
    const came = clock.monotonic()
    for (const [channel, value] of Object.entries(values)) this.latest.set(channel, { value, came })
    if (this.every === undefined) {
      await this.sample({ ...(at !== undefined && { at }), ...(key !== undefined && { key: `${name}:${key}` }) })
    } else await new Promise<void>((done) => this.waiting.push(done))
  }

  lose(channels: readonly string[]): void {
    for (const channel of channels) {
      const known = this.latest.get(channel)
      if (known) known.value = null
    }
  }

  end(): void {
    for (const end of this.enders) end()
  }

  private async sample(mark: { at?: number; key?: string } = {}): Promise<void> {
    const { channels, clock, take } = this.context
    const included = this.waiting
    this.waiting = []
    const oldest = clock.monotonic() - this.lasts
    const known = [...this.latest].map(([channel, { value, came }]) => [channel, came < oldest ? null : value] as const)
    // A sample without any value would be refused: the data are stale then, and the system says so by itself.
    const complete = known.length === channels.length && known.some(([, value]) => value !== null)
    if (complete) await take({ values: Object.fromEntries(known), ...mark })
    for (const done of included) done()
  }
}
