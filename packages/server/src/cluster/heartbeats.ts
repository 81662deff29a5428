/** Looks that must have found nothing new before a worker counts as dead, however long they were apart. */
const MISSES = 3

interface Seen {
  revision: number
  /** When this revision was first seen, by the clock of this machine. */
  since: number
  /** Looks since then that found the same. */
  misses: number
}

/**
 * Who else is alive, judged without comparing clocks: a worker whose beat has not changed for as long as a lease lasts,
 * by this machine's own clock. Looks count only when this worker's own beat came through, so that an outage of the
 * servers makes nobody dead.
 */
export class Heartbeats {
  private readonly ttl: number
  private readonly seen = new Map<string, Seen>()

  /** @param ttl milliseconds */
  constructor(ttl: number) {
    this.ttl = ttl
  }

  /** What a look at the beat of a worker found. */
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

  /** Forgets everybody but these. */
  keep(sessions: readonly string[]): void {
    for (const session of this.seen.keys()) if (!sessions.includes(session)) this.seen.delete(session)
  }
}
