import type { RegretBound } from '../assessor.ts'
import { exp, log } from '../math/elementary.ts'
import type { Stateful, StateIo } from '../state/state-io.ts'
import { coinBound, coinWeight, weightOfGain } from './coin-mixture.ts'

/** The values of κ: a coin of probability π can be used with those that have 1 − e^(−κ) < π. */
const KAPPAS = new Float64Array(13).fill(1e-4)
for (let j = 1; j < KAPPAS.length; j++) KAPPAS[j] = KAPPAS[j - 1] * 2.2
/** 1 − e^(−κd) where d is 1 and where it is −1: under hard advice there is nothing else. */
const GAINS = KAPPAS.map((kappa) => 1 - exp(-kappa))
const LOSSES = KAPPAS.map((kappa) => 1 - exp(kappa))
/** The rarest coin that each κ is used with, a little above what the lemma needs. */
const LEAST = GAINS.map((gain) => gain / 0.99)

/** A coin rarer than this counts as no coin at all. */
const RAREST = 2e-4

/** The sums: samples, tosses of the coin, then five numbers for each expert and κ for κ. */
const SAMPLES = 0
const TOSSES = 1
const AGAINST = 2

/** Which rounds a bound speaks about, and how sure it must be. */
export interface RegretQuestion {
  /** Probability with which the bound holds. */
  readonly confidence: number
  /** What the sums were when the window began; everything where it is left out. */
  readonly mark?: Float64Array
  /** The doubt 1 − confidence is divided by this, since it is shared with other windows. Default 1. */
  readonly shared?: number
}

/**
 * "No expert was better by more than X" (promise B of docs/promises.md), whatever the weights, the decision and the
 * delays. Round by round, d_n = 1{a ≠ y} − ℓ_n is what ensemble and expert n lose apart. Where the expert agreed with
 * the assessment, d_n = 0, answered or not. After "right" it is known; after "wrong" it is at most 1 − ξ_n^a, since
 * the truth is another level than a; and so it is while the answer is open. So the sum of these is a bound that needs
 * no probability. Where the system's own coin decides what is asked about, {@link coinWeight} makes up for what was
 * not.
 *
 * All of it is sums over rounds, so a window is what they have more than when it began.
 */
export class RegretAccount implements Stateful {
  /** Everything that is counted, so that a window can mark it. */
  readonly sums: Float64Array
  private readonly experts: number
  private readonly levels: number
  /** Where the sums begin of confirmed, of open and of tossed rounds that an expert disagreed with, and Σ V, N × κ. */
  private readonly inFavour: number
  private readonly open: number
  private readonly disagreements: number
  private readonly evidence: number
  private readonly weights = new Float64Array(KAPPAS.length)
  /** How many values of κ the rarest coin so far leaves. */
  private usable = KAPPAS.length

  /**
   * @param experts number of experts N
   * @param levels number of levels K
   */
  constructor(experts: number, levels: number) {
    this.experts = experts
    this.levels = levels
    this.inFavour = AGAINST + experts
    this.open = this.inFavour + experts
    this.disagreements = this.open + experts
    this.evidence = this.disagreements + experts
    this.sums = new Float64Array(this.evidence + experts * KAPPAS.length)
  }

  /**
   * A round begins: the experts advised, `assessed` was taken.
   *
   * @param advice holds N × K numbers from `offset`
   */
  begin(advice: Float64Array, offset: number, assessed: number): void {
    this.sums[SAMPLES]++
    this.disagree(this.sums, this.open, advice, offset + assessed, 1)
  }

  /**
   * The coin has decided whether the round is asked about; it may be called once, before any answer.
   *
   * @param sums where it is counted: a mark's where the round is older than the mark
   */
  toss(
    advice: Float64Array,
    offset: number,
    assessed: number,
    probability: number,
    asked: boolean,
    sums: Float64Array = this.sums,
  ): void {
    if (!RegretAccount.usable(probability)) return
    sums[TOSSES]++
    while (this.usable > 0 && LEAST[this.usable - 1] >= probability) this.usable--
    this.disagree(sums, this.open, advice, offset + assessed, -1)
    this.disagree(sums, this.disagreements, advice, offset + assessed, 1)
    if (asked) this.count(sums, advice, offset, assessed, -1, probability, 1)
  }

  /**
   * The answer to a round, or with `sign` −1 what takes it back.
   *
   * @param known the true level, or −1 where it is only known not to be `assessed`
   * @param coin the probability given to `toss`; 1 where it was not called
   * @param sums where it is counted: a mark's where the round is older than the mark
   */
  settle(
    advice: Float64Array,
    offset: number,
    assessed: number,
    known: number,
    coin: number,
    sign: 1 | -1 = 1,
    sums: Float64Array = this.sums,
  ): void {
    if (!RegretAccount.usable(coin)) {
      this.disagree(sums, this.open, advice, offset + assessed, -sign)
      for (let n = 0, at = offset; n < this.experts; n++, at += this.levels) {
        const difference = this.difference(advice, at, assessed, known)
        sums[(difference > 0 ? AGAINST : this.inFavour) + n] += sign * difference
      }
    } else {
      this.count(sums, advice, offset, assessed, -1, coin, -sign)
      this.count(sums, advice, offset, assessed, known, coin, sign)
    }
  }

  /** Whether a coin of this probability decides anything that can be made up for. */
  static usable(probability: number): boolean {
    return probability >= RAREST && probability < 1
  }

  /** The bound over everything, or over the rounds since a mark. */
  bound({ confidence, mark, shared = 1 }: RegretQuestion): RegretBound {
    const sums = mark ? this.sums.map((sum, i) => sum - mark[i]) : this.sums
    const logLevel = log((shared * this.experts) / (1 - confidence))
    let worst = 0
    let value = -Infinity
    let worstChance = 0
    for (let n = 0; n < this.experts; n++) {
      const chance = this.chance(sums, n, logLevel)
      const total = sums[AGAINST + n] + sums[this.inFavour + n] + sums[this.open + n] + chance
      if (total <= value) continue
      value = total
      worst = n
      worstChance = chance
    }
    const samples = Math.max(1, sums[SAMPLES])
    return {
      value: value / samples,
      confidence,
      samples: sums[SAMPLES],
      terms: {
        against: sums[AGAINST + worst] / samples,
        inFavour: sums[this.inFavour + worst] / samples,
        open: sums[this.open + worst] / samples,
        chance: worstChance / samples,
      },
    }
  }

  transfer(io: StateIo): void {
    io.fill(this.sums)
    this.usable = io.number(this.usable)
  }

  /** d_n, or the most it can be. */
  private difference(advice: Float64Array, at: number, assessed: number, known: number): number {
    if (known < 0) return 1 - advice[at + assessed]
    return (known === assessed ? 0 : 1) - (1 - advice[at + known])
  }

  /** Adds `sign` · (1 − ξ_n^a) for every expert, whose advice for the assessed level begins at `at`. */
  private disagree(sums: Float64Array, place: number, advice: Float64Array, at: number, sign: number): void {
    const { experts, levels } = this
    for (let n = 0; n < experts; n++) sums[place + n] += sign * (1 - advice[at + n * levels])
  }

  /** Adds, or takes back, the evidence of a round the coin chose. */
  private count(
    sums: Float64Array,
    advice: Float64Array,
    offset: number,
    assessed: number,
    known: number,
    coin: number,
    sign: number,
  ): void {
    const { usable, weights } = this
    // Under hard advice all experts that differ differ alike, so the weights are computed once.
    let computed = 0
    for (let n = 0, at = offset; n < this.experts; n++, at += this.levels) {
      const difference = this.difference(advice, at, assessed, known)
      if (difference === 0) continue
      if (difference !== computed) {
        this.weigh(difference, coin)
        computed = difference
      }
      for (let j = 0, slot = this.evidence + n * KAPPAS.length; j < usable; j++, slot++) sums[slot] += sign * weights[j]
    }
  }

  /** Fills `weights` for a difference that a coin let us see. */
  private weigh(difference: number, coin: number): void {
    const { usable, weights } = this
    const gains = difference === 1 ? GAINS : difference === -1 ? LOSSES : undefined
    for (let j = 0; j < usable; j++) {
      weights[j] = gains ? weightOfGain(gains[j], coin) : coinWeight(difference, KAPPAS[j], coin)
    }
  }

  /** What the rounds the coin decided about may have cost against expert n: Σ d_n is at most this. */
  private chance(sums: Float64Array, n: number, logLevel: number): number {
    if (sums[TOSSES] === 0) return 0
    const offset = this.evidence + n * KAPPAS.length
    return Math.min(
      sums[this.disagreements + n],
      coinBound({ kappas: KAPPAS, usable: this.usable, sums, offset }, logLevel),
    )
  }
}
