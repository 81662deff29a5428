import { Conflict } from '../errors.ts'

/** Who answers which question until when. */
export interface Lease {
  by: string
  /** Milliseconds since 1970. */
  until: number
}

/**
 * Claims of questions, so that two people do not answer the same one. A claim is a courtesy, not a fact: it lives in
 * memory, ends by itself, and anybody may still answer.
 */
export class Leases {
  private readonly leases = new Map<number, Lease>()

  /** Who holds the question now. */
  get(assessment: number, now: number): Lease | undefined {
    const lease = this.leases.get(assessment)
    return lease && lease.until > now ? lease : undefined
  }

  /** Claims a question, or extends one's own claim; a {@link Conflict} while somebody else holds it. */
  claim(assessment: number, by: string, until: number, now: number): Lease {
    const held = this.get(assessment, now)
    if (held && held.by !== by) throw new Conflict(`assessment ${assessment} is claimed by ${held.by}`)
    for (const [id, lease] of this.leases) if (lease.until <= now) this.leases.delete(id)
    const lease = { by, until }
    this.leases.set(assessment, lease)
    return lease
  }

  /** Gives a question back; nothing happens when it is not one's own. */
  release(assessment: number, by: string): void {
    if (this.leases.get(assessment)?.by === by) this.leases.delete(assessment)
  }

  /** The question was answered. */
  end(assessment: number): void {
    this.leases.delete(assessment)
  }
}
