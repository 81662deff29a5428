import type { SecondOpinionBody } from '@pb-oel/protocol'
import { estimate, type Pair, USUAL } from './reliability.ts'

/** Pairs of reviewers that are remembered; the answers of further pairs are not compared. */
const MOST = 2_000

/** What second opinions say of the reviewers of a system. */
export class ReviewerBook {
  private readonly pairs = new Map<string, Pair>()
  /** What was estimated last, for so many levels. */
  private known: { levels: number; shares: Map<string, number> } | undefined

  /** Counts a second opinion. */
  count({ by, of, compared, agrees }: Pick<SecondOpinionBody, 'by' | 'of' | 'compared' | 'agrees'>): void {
    const [a, b] = by < of ? [by, of] : [of, by]
    const key = JSON.stringify([a, b, compared])
    let pair = this.pairs.get(key)
    if (!pair) {
      if (this.pairs.size >= MOST) return
      pair = { a, b, compared, agreed: 0, differed: 0 }
      this.pairs.set(key, pair)
    }
    if (agrees) pair.agreed++
    else pair.differed++
    this.known = undefined
  }

  /**
   * With which probability an answer of a reviewer teaches: 1 for who errs as often as is usual, or less; an answer
   * that is as good as a guess between two teaches nothing.
   *
   * @param levels of the system
   */
  trustIn(reviewer: string, levels: number): number {
    if (this.known?.levels !== levels) this.known = { levels, shares: estimate(this.list(), levels) }
    const right = this.known.shares.get(reviewer) ?? USUAL
    return Math.min(1, Math.max(0, (2 * right - 1) / (2 * USUAL - 1)))
  }

  /** All pairs, in the order of their first second opinion. */
  list(): Pair[] {
    return [...this.pairs.values()]
  }

  /** Takes back what {@link list} gave. */
  load(pairs: readonly Pair[]): void {
    for (const pair of pairs) this.pairs.set(JSON.stringify([pair.a, pair.b, pair.compared]), { ...pair })
  }
}
