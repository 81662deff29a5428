import { KeyQueue } from './key-queue.ts'

/** How many idempotency keys of a system are remembered. */
export const KEYS_KEPT = 10_000

/** The latest idempotency keys of a system, each with the record that it was first used with. */
export class RememberedKeys {
  private readonly queue = new KeyQueue<number>()

  remember(key: string, sequence: number): void {
    this.queue.set(key, sequence)
    if (this.queue.size > KEYS_KEPT) this.queue.shift()
  }

  /** The record a key was first used with. */
  sequenceOf(key: string): number | undefined {
    return this.queue.get(key)
  }

  /** The record of the oldest key, once as many are remembered as can be: there may be more in the log. */
  get oldest(): number | undefined {
    return this.queue.size < KEYS_KEPT ? undefined : this.queue.oldest
  }

  /** All keys of the records behind `after`: that is the one given, or a later one if some are forgotten. */
  behind(sequence: number): { after: number; keys: [key: string, sequence: number][] } {
    const after = Math.max(sequence, (this.oldest ?? 1) - 1)
    return { after, keys: this.list().filter(([, at]) => at > after) }
  }

  /** All keys, oldest first: what a snapshot holds. */
  list(): [key: string, sequence: number][] {
    return [...this.queue]
  }
}
