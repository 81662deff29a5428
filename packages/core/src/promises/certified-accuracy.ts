import { OptionError } from '../errors.ts'
import { exp, log } from '../math/elementary.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import type { Stateful, StateIo } from '../state/state-io.ts'
import { coinBound, coinGrid } from './coin-mixture.ts'

/** Smallest probability with which any sample is asked about. */
export const FLOOR = option.number({
  above: 0,
  to: 1,
  default: 1,
  about: 'Smallest probability with which any sample is asked about; samples below it count as wrong.',
})

/** Probability with which a certificate holds. */
const CONFIDENCE = option.number({
  from: 0.5,
  to: 1 - 1e-9,
  default: 0.95,
  about: 'Probability with which the statement holds, at all times at once.',
})

/** The options of {@link CertifiedAccuracy}. */
export const CERTIFICATE_OPTIONS = {
  confidence: CONFIDENCE,
  floor: FLOOR,
  wrong: option.number({
    from: 0,
    to: 0.4,
    default: 0,
    about: 'Share of the answers that are wrong by mistake, where it is known exactly.',
  }),
  wrongAtMost: option.number({
    from: 0,
    to: 0.4,
    default: 0,
    about: 'Largest share of the answers that are wrong by mistake, where it is not known exactly.',
  }),
}

/** Options of {@link CertifiedAccuracy}, as {@link CERTIFICATE_OPTIONS} declares them. */
export type CertificateOptions = OptionsOf<typeof CERTIFICATE_OPTIONS>

/** What can be certified. */
export interface Certificate {
  /** Samples so far, and how many of them were checked. */
  readonly samples: number
  readonly checks: number
  /** Checks that found the assessment wrong, with those still unanswered. */
  readonly wrong: number
  readonly confidence: number
  /** At most this many of the samples are wrong. */
  readonly wrongAtMost: number
  /** The accuracy is at least this; 0 before the first sample. */
  readonly certified: number
  /** The accuracy estimated from the checks, each counted 1/π-fold: unbiased, without any confidence. */
  readonly estimate: number
}

/** The sums: samples, and how many of them were checked. */
const SAMPLES = 0
const CHECKS = 1
/** Checks found wrong or still open, where the check was certain, and elsewhere. */
const SURE_WRONG = 2
const SEEN_WRONG = 3
/** Samples that the coin decided about, those among them that it passed over, and samples that had no chance. */
const TOSSED = 4
const UNSEEN = 5
const UNCHECKED = 6
/** Σ 1/π over the answers, and over those that said "wrong". */
const ANSWERED = 7
const SAID_WRONG = 8
/** Where the evidence of the coin begins, Σ V for each κ. */
const EVIDENCE = 9

/**
 * Accuracy at least Y, at all times, from a few random checks (promise C of docs/promises.md). Nothing is assumed of
 * the data, the drift or the model. Only the coin that decides about a check must be the system's own, tossed after the
 * assessment, and answers must be true or wrong at a known rate.
 *
 * A sample that was asked about counts as wrong until the answer says otherwise, so late or missing answers only make
 * the bound weaker. Where every sample is checked the count is exact and no confidence is needed.
 *
 * The same class counts misses alone: `right` then says whether the assessment was no miss.
 *
 * @example
 * import { CertifiedAccuracy } from '@pb-oel/core'
 * const certificate = new CertifiedAccuracy({ floor: 0.1 })
 * for (let t = 0; t < 10_000; t++) {
 *   const asked = t % 10 === 0 // in use: a coin
 *   certificate.sample(0.1, asked)
 *   if (asked) certificate.answer(0.1, true)
 * }
 * certificate.report().certified > 0.995 // true
 */
export class CertifiedAccuracy implements Stateful {
  private readonly confidence: number
  private readonly floor: number
  private readonly wrong: number
  private readonly wrongAtMost: number
  private readonly kappas: Float64Array
  /** 1 − e^(−κ) for each κ. */
  private readonly gains: Float64Array
  /** Everything that is counted, so that a window can mark it. */
  readonly sums: Float64Array

  constructor(options: CertificateOptions = {}) {
    const { confidence, floor, wrong, wrongAtMost } = readOptions(CERTIFICATE_OPTIONS, options)
    this.confidence = confidence
    this.floor = floor
    this.wrong = wrong
    this.wrongAtMost = wrongAtMost
    if (this.wrong > 0 && this.wrongAtMost > 0) {
      throw new OptionError('wrongAtMost', wrongAtMost, 'left out where wrong is given; only one of them is known')
    }
    const reach = this.wrong > 0 ? (1 - 2 * this.wrong) / (1 - this.wrong) : 1 - this.wrongAtMost
    this.kappas = coinGrid(this.floor * reach)
    this.gains = this.kappas.map((kappa) => 1 - exp(-kappa))
    this.sums = new Float64Array(EVIDENCE + this.kappas.length)
  }

  /**
   * Counts a sample when the coin has been tossed.
   *
   * @param probability with which the sample was to be checked, 0 … 1
   * @param asked whether it is
   */
  sample(probability: number, asked: boolean): void {
    const { sums } = this
    if (!asked) this.pass(probability, 1)
    else {
      sums[SAMPLES]++
      sums[CHECKS]++
      if (this.isExact(probability)) sums[SURE_WRONG]++
      else if (probability < this.floor) sums[UNCHECKED]++
      else {
        sums[TOSSED]++
        this.count(sums, probability, 1, false)
      }
    }
  }

  /** Counts `times` samples that the coin passed over. */
  pass(probability: number, times: number): void {
    const { sums } = this
    sums[SAMPLES] += times
    if (this.isExact(probability) || probability < this.floor) sums[UNCHECKED] += times
    else {
      sums[TOSSED] += times
      sums[UNSEEN] += times
    }
  }

  /**
   * Hears the answer to a check. Until then, and after "wrong", the sample counts as wrong.
   *
   * @param sums where it is counted: another's where the sample is older than a mark of them
   */
  answer(probability: number, right: boolean, sums: Float64Array = this.sums): void {
    this.weigh(sums, probability, right, 1)
    if (right) this.settle(sums, probability, 1)
  }

  /** Takes an answer back, for a correction: the sample counts as wrong again. */
  withdraw(probability: number, right: boolean, sums: Float64Array = this.sums): void {
    this.weigh(sums, probability, right, -1)
    if (right) this.settle(sums, probability, -1)
  }

  /**
   * What is certified now.
   *
   * @param confidence with which it is to hold, where that is not the option's; to be chosen without looking
   * @param mark what the sums were when the window began, for the certificate of a window
   */
  report(confidence = this.confidence, mark?: Float64Array): Certificate {
    const sums = mark ? this.sums.map((sum, i) => sum - mark[i]) : this.sums
    const samples = sums[SAMPLES]
    const wrongAtMost = this.upper(sums, 1, confidence)
    return {
      samples,
      checks: sums[CHECKS],
      wrong: sums[SURE_WRONG] + sums[SEEN_WRONG],
      confidence,
      wrongAtMost,
      certified: samples === 0 ? 0 : 1 - wrongAtMost / samples,
      // Of a window without an answer the difference of two sums may be all but 0.
      estimate: sums[ANSWERED] < 1e-6 ? 0 : Math.min(1, 1 - this.estimatedError(sums)),
    }
  }

  /**
   * How many more checks certify `target`, if checks stay as frequent and as often wrong as so far; 0 when it is
   * certified already, `undefined` when no number does.
   */
  moreChecks(target: number, confidence = this.confidence): number | undefined {
    const { sums } = this
    const samples = sums[SAMPLES]
    const checks = sums[CHECKS]
    if (samples > 0 && this.report(confidence).certified >= target) return 0
    if (checks === 0) return undefined
    const reached = (more: number) => {
      const scale = 1 + more / checks
      return 1 - this.upper(sums, scale, confidence) / (samples * scale) >= target
    }
    let high = 1
    while (!reached(high)) {
      high *= 2
      if (high > 1e12) return undefined
    }
    let low = Math.floor(high / 2)
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (reached(middle)) high = middle
      else low = middle
    }
    return high
  }

  transfer(io: StateIo): void {
    io.fill(this.sums)
  }

  private get truthful(): boolean {
    return this.wrong === 0 && this.wrongAtMost === 0
  }

  /**
   * Whether no coin is needed to know about a sample: its check was certain to come, or so rare that it counts as
   * wrong unless it was seen to be right. Answers must be true for that.
   */
  private isExact(probability: number): boolean {
    return this.truthful && (probability === 1 || probability < this.floor)
  }

  /** Turns a sample that counts as wrong into one that was found right, or back. */
  private settle(sums: Float64Array, probability: number, sign: 1 | -1): void {
    if (this.isExact(probability)) sums[SURE_WRONG] -= sign
    else if (probability >= this.floor) {
      this.count(sums, probability, sign === 1 ? -1 : 1, false)
      this.count(sums, probability, sign, true)
    }
  }

  private weigh(sums: Float64Array, probability: number, right: boolean, sign: 1 | -1): void {
    sums[ANSWERED] += sign / probability
    if (!right) sums[SAID_WRONG] += sign / probability
  }

  private estimatedError(sums: Float64Array): number {
    const said = sums[SAID_WRONG] / sums[ANSWERED]
    return Math.max(0, (said - this.wrong) / (1 - 2 * this.wrong))
  }

  /** Adds or takes back the evidence of one answer (Lemmas C1 to C3). */
  private count(sums: Float64Array, probability: number, sign: 1 | -1, right: boolean): void {
    const { wrong, wrongAtMost, gains } = this
    if (!right) sums[SEEN_WRONG] += sign
    else if (wrong === 0) return
    const factor = right ? -wrong / (1 - 2 * wrong) : wrong > 0 ? (1 - wrong) / (1 - 2 * wrong) : 1 / (1 - wrongAtMost)
    for (let j = 0; j < gains.length; j++) sums[EVIDENCE + j] -= sign * log(1 - (factor * gains[j]) / probability)
  }

  /** At most this many samples are wrong, after `scale` times what the sums tell. */
  private upper(sums: Float64Array, scale: number, confidence: number): number {
    const samples = sums[SAMPLES] * scale
    const sure = (sums[SURE_WRONG] + sums[UNCHECKED]) * scale
    if (sums[TOSSED] === 0) return Math.min(samples, sure)
    const evidence = { kappas: this.kappas, sums, offset: EVIDENCE, scale }
    const bound = Math.max(0, coinBound(evidence, -log(1 - confidence)))
    // No more can be wrong than all unseen samples and all wrong checks together.
    const most = (this.truthful ? sums[UNSEEN] + sums[SEEN_WRONG] : sums[TOSSED]) * scale
    return Math.min(samples, sure + Math.min(Math.floor(bound), most))
  }
}
