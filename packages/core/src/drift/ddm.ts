import { integerIn, numberIn, onlyKnown, positive } from '../options/checks.ts'
import type { StateIo } from '../state/state-io.ts'
import type { DriftDetector, DriftSignal } from './detector.ts'

/** Options of {@link Ddm}. */
export interface DdmOptions {
  /** No signal before more than this many values, 1 … 10^6. Default 30. */
  minimum?: number
  /** Standard deviations above the best error rate that mean a warning. Default 2. */
  warning?: number
  /** Standard deviations above the best error rate that mean drift, at least `warning`. Default 3. */
  drift?: number
}

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
 * import { Ddm } from '@pb-oel/core'
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
    onlyKnown(options, ['minimum', 'warning', 'drift'])
    this.minimum = integerIn('minimum', options.minimum ?? 30, 1, 1_000_000)
    this.warning = positive('warning', options.warning ?? 2)
    this.drift = numberIn('drift', options.drift ?? Math.max(3, this.warning), this.warning, Infinity)
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
