import { numberIn } from '../options/checks.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import type { StateIo } from '../state/state-io.ts'
import { type DetectorEntry, type DriftDetector, type DriftSignal, defineDetector } from './detector.ts'

/** The options of {@link Ddm}. */
export const DDM_OPTIONS = {
  minimum: option.integer({
    from: 1,
    to: 1_000_000,
    default: 30,
    about: 'No signal before more than this many values.',
  }),
  warning: option.number({
    above: 0,
    default: 2,
    about: 'Standard deviations above the best error rate that mean a warning.',
  }),
  drift: option.number({
    above: 0,
    otherwise: '3, or `warning` where that is more',
    about: 'Standard deviations above the best error rate that mean drift, at least `warning`.',
  }),
}

/** Options of {@link Ddm}, as {@link DDM_OPTIONS} declares them. */
export type DdmOptions = OptionsOf<typeof DDM_OPTIONS>

/**
 * DDM: drift detection by control limits on the error rate. Values are 1 (error) or 0.
 *
 * With p the error rate since the last reset and s = √(p(1−p)/n), it remembers the p and s at which p + s was lowest
 * and signals when p + s exceeds that p plus 2 (warning) or 3 (drift) times that s. After a stretch without any error
 * s is 0, so the next error is drift: the method as published.
 *
 * J. Gama et al., "Learning with drift detection", SBIA 2004.
 *
 * @example
 * import { Ddm } from '@pb-oel/core/drift'
 * const detector = new Ddm()
 * let at = 0
 * for (let i = 1; i <= 99 && at === 0; i++) if (detector.update(i > 60 || i % 10 === 0 ? 1 : 0) === 'drift') at = i
 * at // 65
 */
export class Ddm implements DriftDetector {
  private readonly minimum: number
  private readonly warning: number
  private readonly drift: number
  private n = 0
  private sum = 0
  private bestRate = 0
  private bestDeviation = Infinity

  constructor(options: DdmOptions = {}) {
    const { minimum, warning, drift = Math.max(3, warning) } = readOptions(DDM_OPTIONS, options)
    this.minimum = minimum
    this.warning = warning
    this.drift = numberIn('drift', drift, warning, Infinity)
  }

  update(value: number): DriftSignal {
    this.n++
    this.sum += value
    const { n } = this
    if (n <= this.minimum) return 'none'
    const rate = this.sum / n
    const deviation = Math.sqrt((rate * (1 - rate)) / n)
    const level = rate + deviation
    if (level <= this.bestRate + this.bestDeviation) {
      this.bestRate = rate
      this.bestDeviation = deviation
    }
    if (level > this.bestRate + this.drift * this.bestDeviation) {
      this.reset()
      return 'drift'
    }
    return level > this.bestRate + this.warning * this.bestDeviation ? 'warning' : 'none'
  }

  reset(): void {
    this.n = this.sum = this.bestRate = 0
    this.bestDeviation = Infinity
  }

  transfer(io: StateIo): void {
    this.n = io.number(this.n)
    this.sum = io.number(this.sum)
    this.bestRate = io.number(this.bestRate)
    this.bestDeviation = io.number(this.bestDeviation)
  }
}

/** The entry of {@link Ddm}. */
export const DDM: DetectorEntry = defineDetector({
  name: 'ddm',
  title: 'DDM',
  summary: 'control limits on the error rate',
  options: DDM_OPTIONS,
  binary: true,
  create: (options) => new Ddm(options),
})
