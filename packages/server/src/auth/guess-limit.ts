/** Wrong tokens that an address may send within {@link WINDOW_MS}; then it has to wait with further wrong ones. */
const GUESSES = 10
const WINDOW_MS = 60_000
/** Addresses remembered; beyond it the oldest is forgotten. */
const ADDRESSES = 10_000

/** Counts wrong tokens by address. */
export class GuessLimit {
  private readonly clock: () => number
  private readonly seen = new Map<string, { count: number; until: number }>()

  /** @param clock milliseconds that never jump */
  constructor(clock: () => number) {
    this.clock = clock
  }

  /** Seconds the address has to wait, 0 when it may try. */
  wait(address: string): number {
    const entry = this.seen.get(address)
    if (!entry || entry.count < GUESSES) return 0
    return Math.max(0, Math.ceil((entry.until - this.clock()) / 1000))
  }

  /** Counts a wrong token. */
  wrong(address: string): void {
    const now = this.clock()
    const entry = this.seen.get(address)
    if (entry && entry.until > now) {
      entry.count++
      return
    }
    this.seen.delete(address)
    if (this.seen.size >= ADDRESSES) this.seen.delete(this.seen.keys().next().value as string)
    this.seen.set(address, { count: 1, until: now + WINDOW_MS })
  }
}
