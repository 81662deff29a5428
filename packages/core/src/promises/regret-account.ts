import type { RegretBound } from '../assessor.ts'
import { exp, log } from '../math/elementary.ts'
import type { Stateful, StateIo } from '../state/state-io.ts'
import { coinWeight } from './coin-mixture.ts'

/** The values of κ: a coin of probability π can be used with those that have 1 − e^(−κ) < π. */
const KAPPAS = new Float64Array(13).fill(1e-4)
for (let j = 1; j < KAPPAS.length; j++) KAPPAS[j] = KAPPAS[j - 1] * 2.2

/** A coin rarer than this counts as no coin at all. */
const RAREST = 2e-4

/**
 * "No expert was better by more than X" (promise B of docs/promises.md), whatever the weights, the decision and the
 * delays. Round by round, d_n = 1{a ≠ y} − ℓ_n is what ensemble and expert n lose apart. Where the expert agreed with
 * the assessment, d_n = 0, answered or not. After "right" it is known; after "wrong" it is at most 1 − ξ_n^a, since
 * the truth is another level than a; and so it is while the answer is open. So the sum of these is a bound that needs
 * no probability. Where the system's own coin decides what is asked about, {@link coinWeight} makes up for what was
 * not.
 */
export class RegretAccount implements Stateful {
  private readonly experts: number
  private readonly levels: number
  private readonly against: Float64Array
  private readonly inFavour: Float64Array
  private readonly open: Float64Array
  /** Σ V of the rounds the coin decided about, N × κ; and Σ (1 − ξ_n^a) over them, which no bound need exceed. */
  private readonly tossed: Float64Array
  private readonly disagreements: Float64Array
  private readonly weights = new Float64Array(KAPPAS.length)
  private samples = 0
  /** How many values of κ the rarest coin so far leaves. */
  private usable = KAPPAS.length
  private tosses = 0

  /**
   * @param experts number of experts N
   * @param levels number of levels K
   */
  constructor(experts: number, levels: number) {
    this.experts = experts
    this.levels = levels
    this.against = new Float64Array(experts)
    this.inFavour = new Float64Array(experts)
    this.open = new Float64Array(experts)
    this.tossed = new Float64Array(experts * KAPPAS.length)
    this.disagreements = new Float64Array(experts)
  }

  /**
   * A round begins: the experts advised, `assessed` was taken.
   *
   * @param advice holds N × K numbers from `offset`
   */
  begin(advice: Float64Array, offset: number, assessed: number): void {
    this.samples++
    this.wait(advice, offset, assessed, 1)
  }

  /** The coin has decided whether the round is asked about; it may be called once, before any answer. */
  toss(advice: Float64Array, offset: number, assessed: number, probability: number, asked: boolean): void {
    if (!RegretAccount.usable(probability)) return
    this.tosses++
    while (this.usable > 0 && 1 - exp(-KAPPAS[this.usable - 1]) >= 0.99 * probability) this.usable--
    this.wait(advice, offset, assessed, -1)
    for (let n = 0, at = offset + assessed; n < this.experts; n++, at += this.levels) {
      this.disagreements[n] += 1 - advice[at]
    }
    if (asked) this.count(advice, offset, assessed, -1, probability, 1)
  }

  /**
   * The answer to a round, or with `sign` −1 what takes it back.
   *
   * @param known the true level, or −1 where it is only known not to be `assessed`
   * @param coin the probability given to `toss`; 1 where it was not called
   */
  settle(advice: Float64Array, offset: number, assessed: number, known: number, coin: number, sign: 1 | -1 = 1): void {
    if (!RegretAccount.usable(coin)) {
      this.wait(advice, offset, assessed, -sign)
      for (let n = 0, at = offset; n < this.experts; n++, at += this.levels) {
        const difference = this.difference(advice, at, assessed, known)
        if (difference > 0) this.against[n] += sign * difference
        else this.inFavour[n] += sign * difference
      }
    } else {
      this.count(advice, offset, assessed, -1, coin, -sign)
      this.count(advice, offset, assessed, known, coin, sign)
    }
  }

  /** Whether a coin of this probability decides anything that can be made up for. */
  static usable(probability: number): boolean {
    return probability >= RAREST && probability < 1
  }

  /** The bound that holds with probability `confidence`. */
  bound(confidence: number): RegretBound {
    const logLevel = log(this.experts / (1 - confidence))
    let worst = 0
    let value = -Infinity
    let worstChance = 0
    for (let n = 0; n < this.experts; n++) {
      const chance = this.chance(n, logLevel)
      const total = this.against[n] + this.inFavour[n] + this.open[n] + chance
      if (total <= value) continue
      value = total
      worst = n
      worstChance = chance
    }
    const samples = Math.max(1, this.samples)
    return {
      value: value / samples,
      confidence,
      samples: this.samples,
      terms: {
        against: this.against[worst] / samples,
        inFavour: this.inFavour[worst] / samples,
        open: this.open[worst] / samples,
        chance: worstChance / samples,
      },
    }
  }

  /** Starts again from nothing. */
  reset(): void {
    this.against.fill(0)
    this.inFavour.fill(0)
    this.open.fill(0)
    this.tossed.fill(0)
    this.disagreements.fill(0)
    this.samples = 0
    this.tosses = 0
    this.usable = KAPPAS.length
  }

  transfer(io: StateIo): void {
    io.fill(this.against)
    io.fill(this.inFavour)
    io.fill(this.open)
    io.fill(this.tossed)
    io.fill(this.disagreements)
    this.samples = io.number(this.samples)
    this.tosses = io.number(this.tosses)
    this.usable = io.number(this.usable)
  }

  /** d_n, or the most it can be. */
  private difference(advice: Float64Array, at: number, assessed: number, known: number): number {
    if (known < 0) return 1 - advice[at + assessed]
    return (known === assessed ? 0 : 1) - (1 - advice[at + known])
  }

  /** Adds to, or takes from, what the open rounds may cost. */
  private wait(advice: Float64Array, offset: number, assessed: number, sign: number): void {
    const { open, levels } = this
    for (let n = 0, at = offset + assessed; n < open.length; n++, at += levels) open[n] += sign * (1 - advice[at])
  }

  /** Adds, or takes back, the evidence of a round the coin chose. */
  private count(
    advice: Float64Array,
    offset: number,
    assessed: number,
    known: number,
    coin: number,
    sign: number,
  ): void {
    const { tossed, usable, weights } = this
    // Under hard advice all experts that differ differ alike, so the weights are computed once.
    let computed = 0
    for (let n = 0, at = offset; n < this.experts; n++, at += this.levels) {
      const difference = this.difference(advice, at, assessed, known)
      if (difference === 0) continue
      if (difference !== computed) {
        for (let j = 0; j < usable; j++) weights[j] = coinWeight(difference, KAPPAS[j], coin)
        computed = difference
      }
      for (let j = 0, slot = n * KAPPAS.length; j < usable; j++, slot++) tossed[slot] += sign * weights[j]
    }
  }

  /** What the rounds the coin decided about may have cost against expert n: Σ d_n is at most this. */
  private chance(n: number, logLevel: number): number {
    if (this.tosses === 0) return 0
    let bound = this.disagreements[n]
    const level = logLevel + log(KAPPAS.length)
    for (let j = 0, slot = n * KAPPAS.length; j < this.usable; j++, slot++) {
      bound = Math.min(bound, (this.tossed[slot] + level) / KAPPAS[j])
    }
    return bound
  }
}
