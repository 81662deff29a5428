import type { Claim } from '@pb-oel/protocol'
import type { ServerClock } from '../clock/server-clock.ts'
import { Conflict } from '../errors.ts'

/**
 * Who has taken which question, so that two reviewers do not answer the same one. A claim is a courtesy, not a fact: it
 * lives in memory, ends by itself, and anybody may still answer.
 */
export class Claims {
  private readonly clock: ServerClock
  /** With the end of each by the monotonic clock, whatever the wall clock does meanwhile. */
  private readonly claims = new Map<number, { claim: Claim; end: number }>()

  constructor(clock: ServerClock) {
    this.clock = clock
  }

  /** Who has the question now. */
  get(assessment: number): Claim | undefined {
    const taken = this.claims.get(assessment)
    return taken && taken.end > this.clock.clock.monotonic() ? taken.claim : undefined
  }

  /** The assessments whose questions somebody has now. */
  taken(): number[] {
    return [...this.claims.keys()].filter((assessment) => this.get(assessment))
  }

  /** Claims a question, or extends one's own claim; a {@link Conflict} while somebody else has it. */
  claim(assessment: number, by: string, seconds: number): Claim {
    const earlier = this.get(assessment)
    if (earlier && earlier.by !== by) throw new Conflict(`assessment ${assessment} is claimed by ${earlier.by}`)
    const now = this.clock.clock.monotonic()
    for (const [taken, { end }] of this.claims) if (end <= now) this.claims.delete(taken)
    const claim = { by, until: Math.floor(this.clock.now() + seconds * 1000) }
    this.claims.set(assessment, { claim, end: now + seconds * 1000 })
    return claim
  }

  /** Gives a question back; nothing happens when it is not one's own. */
  release(assessment: number, by: string): void {
    if (this.claims.get(assessment)?.claim.by === by) this.claims.delete(assessment)
  }

  /** The question was answered. */
  end(assessment: number): void {
    this.claims.delete(assessment)
  }
}
