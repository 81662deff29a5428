import { OptionError } from '../errors.ts'
import { exp, log } from '../math/elementary.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import type { Stateful, StateIo } from '../state/state-io.ts'
import { CoinMixture, coinGrid } from './coin-mixture.ts'

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
  private readonly mixture: CoinMixture
  private samples = 0
  private checks = 0
  /** Checks found wrong or still open, where the check was certain, and elsewhere. */
  private sureWrong = 0
  private seenWrong = 0
  /** Samples that the coin decided about, those among them that it passed over, and samples that had no chance. */
  private tossed = 0
  private unseen = 0
  private unchecked = 0
  /** Σ 1/π over the answers, and over those that said "wrong". */
  private answeredWeight = 0
  private wrongWeight = 0

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
    this.mixture = new CoinMixture(coinGrid(this.floor * reach))
  }

  /**
   * Counts a sample when the coin has been tossed.
   *
   * @param probability with which the sample was to be checked, 0 … 1
   * @param asked whether it is
   */
  sample(probability: number, asked: boolean): void {
    if (!asked) this.pass(probability, 1)
    else {
      this.samples++
      this.checks++
      if (this.isExact(probability)) this.sureWrong++
      else if (probability < this.floor) this.unchecked++
      else {
        this.tossed++
        this.count(probability, 1, false)
      }
    }
  }

  /** Counts `times` samples that the coin passed over. */
  pass(probability: number, times: number): void {
    this.samples += times
    if (this.isExact(probability) || probability < this.floor) this.unchecked += times
    else {
      this.tossed += times
      this.unseen += times
    }
  }

  /** Hears the answer to a check. Until then, and after "wrong", the sample counts as wrong. */
  answer(probability: number, right: boolean): void {
    this.weigh(probability, right, 1)
    if (right) this.settle(probability, 1)
  }

  /** Takes an answer back, for a correction: the sample counts as wrong again. */
  withdraw(probability: number, right: boolean): void {
    this.weigh(probability, right, -1)
    if (right) this.settle(probability, -1)
  }

  /**
   * What is certified now.
   *
   * @param confidence with which it is to hold, where that is not the option's; to be chosen without looking
   */
  report(confidence = this.confidence): Certificate {
    const { samples, checks } = this
    const wrongAtMost = this.upper(1, samples, confidence)
    return {
      samples,
      checks,
      wrong: this.sureWrong + this.seenWrong,
      confidence,
      wrongAtMost,
      certified: samples === 0 ? 0 : 1 - wrongAtMost / samples,
      estimate: this.answeredWeight === 0 ? 0 : Math.min(1, 1 - this.estimatedError()),
    }
  }

  /**
   * How many more checks certify `target`, if checks stay as frequent and as often wrong as so far; 0 when it is
   * certified already, `undefined` when no number does.
   */
  moreChecks(target: number, confidence = this.confidence): number | undefined {
    const { samples, checks } = this
    if (samples > 0 && this.report(confidence).certified >= target) return 0
    if (checks === 0) return undefined
    const reached = (more: number) => {
      const scale = 1 + more / checks
      return 1 - this.upper(scale, samples * scale, confidence) / (samples * scale) >= target
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

  /** Starts again from nothing, as at the beginning of a window. */
  reset(): void {
    this.mixture.reset()
    this.samples = this.checks = this.sureWrong = this.seenWrong = 0
    this.tossed = this.unseen = this.unchecked = 0
    this.answeredWeight = this.wrongWeight = 0
  }

  transfer(io: StateIo): void {
    this.mixture.transfer(io)
    this.samples = io.number(this.samples)
    this.checks = io.number(this.checks)
    this.sureWrong = io.number(this.sureWrong)
    this.seenWrong = io.number(this.seenWrong)
    this.tossed = io.number(this.tossed)
    this.unseen = io.number(this.unseen)
    this.unchecked = io.number(this.unchecked)
    this.answeredWeight = io.number(this.answeredWeight)
    this.wrongWeight = io.number(this.wrongWeight)
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
  private settle(probability: number, sign: 1 | -1): void {
    if (this.isExact(probability)) this.sureWrong -= sign
    else if (probability >= this.floor) {
      this.count(probability, sign === 1 ? -1 : 1, false)
      this.count(probability, sign, true)
    }
  }

  private weigh(probability: number, right: boolean, sign: 1 | -1): void {
    this.answeredWeight += sign / probability
    if (!right) this.wrongWeight += sign / probability
  }

  private estimatedError(): number {
    const said = this.wrongWeight / this.answeredWeight
    return Math.max(0, (said - this.wrong) / (1 - 2 * this.wrong))
  }

  /** Adds or takes back the evidence of one answer (Lemmas C1 and C2). */
  private count(probability: number, sign: 1 | -1, right: boolean): void {
    const { wrong, wrongAtMost } = this
    if (!right) this.seenWrong += sign
    this.mixture.add((kappa) => {
      const u = (1 - exp(-kappa)) / probability
      if (right) return wrong === 0 ? 0 : -sign * log(1 + (u * wrong) / (1 - 2 * wrong))
      return -sign * log(1 - (wrong > 0 ? (u * (1 - wrong)) / (1 - 2 * wrong) : u / (1 - wrongAtMost)))
    })
  }

  /** At most this many samples are wrong, after `scale` times the checks so far. */
  private upper(scale: number, samples: number, confidence: number): number {
    const sure = (this.sureWrong + this.unchecked) * scale
    if (this.tossed === 0) return Math.min(samples, sure)
    const bound = Math.max(0, this.mixture.bound(-log(1 - confidence), scale))
    // No more can be wrong than all unseen samples and all wrong checks together.
    const most = (this.truthful ? this.unseen + this.seenWrong : this.tossed) * scale
    return Math.min(samples, sure + Math.min(Math.floor(bound), most))
  }
}
