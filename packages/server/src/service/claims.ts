import type { Claim } from '@pb-oel/protocol'
import { Conflict } from '../errors.ts'

/**
 * Who has taken which question, so that two reviewers do not answer the same one. A claim is a courtesy, not a fact: it
 * lives in memory, ends by itself, and anybody may still answer.
 */
export class Claims {
  private readonly claims = new Map<number, Claim>()

  /** Who has the question now. */
  get(assessment: number, now: number): Claim | undefined {
    const claim = this.claims.get(assessment)
    return claim && claim.until > now ? claim : undefined
  }

  /** The assessments whose questions somebody has now. */
  taken(now: number): number[] {
    return [...this.claims.keys()].filter((assessment) => this.get(assessment, now))
  }

  /** Claims a question, or extends one's own claim; a {@link Conflict} while somebody else has it. */
  claim(assessment: number, by: string, until: number, now: number): Claim {
    const earlier = this.get(assessment, now)
    if (earlier && earlier.by !== by) throw new Conflict(`assessment ${assessment} is claimed by ${earlier.by}`)
    for (const [taken, claim] of this.claims) if (claim.until <= now) this.claims.delete(taken)
    const claim = { by, until }
    this.claims.set(assessment, claim)
    return claim
  }

  /** Gives a question back; nothing happens when it is not one's own. */
  release(assessment: number, by: string): void {
    if (this.claims.get(assessment)?.by === by) this.claims.delete(assessment)
  }

  /** The question was answered. */
  end(assessment: number): void {
    this.claims.delete(assessment)
  }
}
