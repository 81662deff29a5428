/** A worker counts as dead only after this many looks have found nothing new, however far apart they were. */
const MISSES = 3

interface Seen {
  revision: number
  /** When this revision was first seen, by the clock of this machine. */
  since: number
  /** How many looks have found the same since then. */
  misses: number
}

/**
 * Tells who else is alive without comparing clocks: a worker is dead when its beat has not changed for the length of a
 * lease, by this machine's own clock. Looks count only when this worker's own beat came through: an outage of the
 * servers makes nobody dead.
 */
export class Heartbeats {
  private readonly ttl: number
  private readonly seen = new Map<string, Seen>()

  /** @param ttl milliseconds */
  constructor(ttl: number) {
    this.ttl = ttl
  }

  /** Takes in what a look at the beat of a worker found. */
  observe(session: string, revision: number, now: number): void {
    const last = this.seen.get(session)
    if (last?.revision === revision) last.misses++
    else this.seen.set(session, { revision, since: now, misses: 0 })
  }

  /** The workers among these whose lease has run out. */
  dead(sessions: readonly string[], now: number): Set<string> {
    return new Set(
      sessions.filter((session) => {
        const last = this.seen.get(session)
        return last !== undefined && last.misses >= MISSES && now - last.since > this.ttl
      }),
    )
  }

  /** Milliseconds until the lease of the first of these runs out, should it stay silent. */
  nextEnd(sessions: readonly string[], now: number): number {
    const ends = sessions.map((session) => (this.seen.get(session)?.since ?? now) + this.ttl - now)
    return Math.min(...ends.filter((rest) => rest >= 0))
  }

  /** Forgets everybody but these. */
  keep(sessions: readonly string[]): void {
    for (const session of this.seen.keys()) if (!sessions.includes(session)) this.seen.delete(session)
  }
}
