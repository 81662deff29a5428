/** What is known about one round when its answer comes. */
export interface AnsweredRound {
  /** The assessed level a, and the probability p_a it was drawn with. */
  assessed: number
  probability: number
  /** The true level where the answer tells it, else −1: then it is not `assessed`. */
  known: number
  /** Whether the label was given. */
  full: boolean
}

/**
 * Estimates the loss ℓ^k = c(y, k) of every level from an answer (Lemmas 1 and 6 of docs/method-plus.md); without a
 * cost matrix ℓ^k = 1{k ≠ y}.
 *
 * A label gives it exactly. A confirmation reveals the label too, but only when the right level was drawn, so it counts
 * 1/p_y-fold: C^k = 1{a = y}·ℓ^k/p_y. A rejection gives the loss of the drawn level: R^k = 1{k = a ≠ y}/p_a. Both are
 * unbiased, and so is λC + (1−λ)R for every λ fixed before the draw. With costs a rejection does not say how wrong the
 * level was: λ must be 1.
 *
 * `plain` takes both as they come: 1{a = y}·ℓ^k + 1{k = a ≠ y}/p_a. Its expectation is (1 + p_y)·ℓ^k: every level is
 * charged too much, but all by the same factor (Lemma 8).
 */
export class LossEstimator {
  /** ℓ̂^k of the latest `estimate`. */
  readonly losses: Float64Array
  private readonly implicit: number
  private readonly costs: Float64Array
  private readonly columns: Float64Array
  private readonly plain: boolean

  /**
   * @param costs K × K costs in 0 … 1, row by true level, 0 on the diagonal
   * @param levels number of levels K
   * @param implicit added to the probabilities divided by, at least 0
   * @param plain whether confirmations and rejections both count in full; λ then says nothing
   */
  constructor(costs: Float64Array, levels: number, implicit: number, plain = false) {
    this.plain = plain
    this.losses = new Float64Array(levels)
    this.implicit = implicit
    this.costs = costs
    this.columns = new Float64Array(levels)
  }

  /**
   * Fills `losses`.
   *
   * @param lambda weight λ of the confirmation estimate, 0 … 1
   * @param noise probability that the answer is wrong, below ½; a wrong label is each other level with the same
   * probability
   */
  estimate({ assessed, probability, known, full }: AnsweredRound, lambda: number, noise: number): void {
    const { losses, costs, columns } = this
    const levels = losses.length
    if (full) {
      const other = noise / (levels - 1)
      const scale = 1 / (1 - levels * other)
      // Costs may follow what is told, so they are summed when they are needed.
      columns.fill(0)
      if (noise > 0) for (let i = 0; i < costs.length; i++) columns[i % levels] += costs[i]
      for (let k = 0; k < levels; k++) losses[k] = scale * (costs[known * levels + k] - other * columns[k])
    } else {
      const right = ((known >= 0 ? 1 : 0) - noise) / (1 - 2 * noise)
      const weight = 1 / (probability + this.implicit)
      const confirmed = this.plain ? right : lambda * right * weight
      for (let k = 0; k < levels; k++) losses[k] = confirmed * costs[assessed * levels + k]
      losses[assessed] += (this.plain ? 1 : 1 - lambda) * (1 - right) * weight
    }
  }
}
