import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import type { Stateful, StateIo } from '../state/state-io.ts'
import { CertifiedAccuracy, FLOOR } from './certified-accuracy.ts'

/** The options of a {@link FallAlarm}. */
export const FALL_OPTIONS = {
  target: option.number({
    above: 0.5,
    to: 0.999999,
    otherwise: 'what the first `reference` samples certify, less the tolerance',
    about: 'Accuracy that must be kept.',
  }),
  reference: option.integer({
    from: 100,
    to: 1e9,
    default: 5000,
    about: 'Number of samples that say what the accuracy was, where there is no target.',
  }),
  tolerance: option.number({
    from: 1,
    to: 100,
    default: 2,
    about: 'How many times as many mistakes as in the reference are still no fall.',
  }),
  falseAlarmEvery: option.number({
    from: 10,
    to: 1e12,
    default: 100_000,
    about: 'While accuracy is kept, a false alarm comes after this many samples on average, or later.',
  }),
  block: option.integer({
    from: 1,
    to: 1e6,
    default: 100,
    about: 'Number of samples that are judged together, so that a burst of mistakes is no fall.',
  }),
  floor: FLOOR,
  patience: option.integer({
    from: 1,
    to: 2 ** 20,
    default: 1024,
    about: 'Number of samples that an answer is waited for; then the check counts as never made.',
  }),
}

/** Options of a {@link FallAlarm}, as {@link FALL_OPTIONS} declares them. */
export type FallAlarmOptions = OptionsOf<typeof FALL_OPTIONS>

/** How much each detector stakes on a fall. */
const STAKES = [0.2, 0.5, 0.95]

const PASSED = 0
const WAITING = 1
const RIGHT = 2
const WRONG = 3

/**
 * Raises an alarm when accuracy falls, with a bounded rate of false alarms (docs/promises.md): a mixture of
 * Shiryaev–Roberts e-detectors (Shin, Ramdas & Rinaldo, "E-detectors: a nonparametric framework for sequential change
 * detection", New England Journal of Statistics in Data Science 2, 2024).
 *
 * Samples are judged in blocks of b. With q the share of mistakes allowed and w the wrong checks of a block, each
 * counted
 * 1/π-fold, e = 1 + λ(w/(qb) − 1) has expectation at most 1 while a block is expected to hold no more than qb mistakes,
 * however they depend on each other. R ← (R + b)·e then has expectation at most t after t samples, so it reaches the
 * threshold A after at least A samples on average.
 *
 * Samples are taken in their own order: each waits for its answer, up to `patience` samples. So lateness that depends
 * on the answer does no harm. A check that nobody answered counts as not made.
 *
 * @example
 * import { FallAlarm } from '@pb-oel/core'
 * const alarm = new FallAlarm({ target: 0.99 })
 * let raised = -1
 * for (let t = 0; t < 4000 && raised < 0; t++) {
 *   alarm.sample(t, 1, true)
 *   const wrong = t > 1000 && t % 10 === 0
 *   if (alarm.answer(t, !wrong)) raised = t
 * }
 * raised > 1000 && raised < 2000 // true
 */
export class FallAlarm implements Stateful {
  private readonly threshold: number
  private readonly reference: number
  private readonly tolerance: number
  private readonly block: number
  private readonly floor: number
  private readonly status: Uint8Array
  private readonly coins: Float64Array
  private readonly detectors = new Float64Array(STAKES.length)
  private readonly before: CertifiedAccuracy
  /** Share of mistakes that is allowed; −1 while the reference is being taken. */
  private allowed: number
  private next = 0
  private latest = -1
  /** Samples of the present block so far, and its wrong checks, each counted 1/π-fold. */
  private filled = 0
  private wrong = 0
  /** How often the alarm has been raised. */
  raised = 0

  constructor(options: FallAlarmOptions = {}) {
    const { target, reference, tolerance, falseAlarmEvery, block, floor, patience } = readOptions(FALL_OPTIONS, options)
    this.allowed = target === undefined ? -1 : 1 - target
    this.reference = reference
    this.tolerance = tolerance
    this.threshold = falseAlarmEvery
    this.block = block
    this.floor = floor
    this.status = new Uint8Array(patience)
    this.coins = new Float64Array(patience)
    this.before = new CertifiedAccuracy({ floor })
  }

  /** The accuracy that is to be kept; 0 while it is still being measured. */
  get target(): number {
    return this.allowed < 0 ? 0 : 1 - this.allowed
  }

  /** Opens sample `id`, the one after the latest. True when an alarm is raised by what is settled now. */
  sample(id: number, probability: number, asked: boolean): boolean {
    const { status, coins } = this
    const { length } = status
    this.latest = id
    let alarm = false
    while (this.next <= id - length) alarm = this.step() || alarm
    status[id % length] = asked ? WAITING : PASSED
    coins[id % length] = probability
    return this.settle() || alarm
  }

  /** Hears an answer; one that comes too late is passed over. True when an alarm is raised. */
  answer(id: number, right: boolean): boolean {
    const { status } = this
    if (id < this.next || id > this.latest) return false
    status[id % status.length] = right ? RIGHT : WRONG
    return this.settle()
  }

  transfer(io: StateIo): void {
    io.fill(this.status)
    io.fill(this.coins)
    io.fill(this.detectors)
    this.before.transfer(io)
    this.allowed = io.number(this.allowed)
    this.next = io.number(this.next)
    this.latest = io.number(this.latest)
    this.filled = io.number(this.filled)
    this.wrong = io.number(this.wrong)
    this.raised = io.number(this.raised)
  }

  private settle(): boolean {
    const { status } = this
    let alarm = false
    while (this.next <= this.latest && status[this.next % status.length] !== WAITING) alarm = this.step() || alarm
    return alarm
  }

  /** Takes the next sample in order. */
  private step(): boolean {
    const slot = this.next++ % this.status.length
    const probability = this.coins[slot]
    const status = this.status[slot]
    if (this.allowed < 0) {
      this.refer(probability, status)
      return false
    }
    return this.detect(probability, status === WRONG)
  }

  private refer(probability: number, status: number): void {
    const { before } = this
    before.sample(probability, status !== PASSED)
    if (status === RIGHT || status === WRONG) before.answer(probability, status === RIGHT)
    if (this.next >= this.reference) this.allowed = Math.min(0.5, this.tolerance * (1 - before.report().certified))
  }

  /** Counts a sample; at the end of a block the detectors judge it. */
  private detect(probability: number, wrong: boolean): boolean {
    const { detectors, block } = this
    // A larger denominator than π only makes an alarm later.
    if (wrong) this.wrong += 1 / Math.max(probability, this.floor)
    if (++this.filled < block) return false
    const excess = this.wrong / (this.allowed * block) - 1
    let mean = 0
    for (let j = 0; j < STAKES.length; j++) {
      detectors[j] = (detectors[j] + block) * (1 + STAKES[j] * excess)
      mean += detectors[j] / STAKES.length
    }
    this.filled = 0
    this.wrong = 0
    // A block within its limit raises no alarm, whatever came before it.
    if (mean < this.threshold || excess <= 0) return false
    detectors.fill(0)
    this.raised++
    return true
  }
}
