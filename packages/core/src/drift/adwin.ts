import { quickLog } from '../math/quick.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import type { StateIo } from '../state/state-io.ts'
import { type DetectorEntry, type DriftDetector, type DriftSignal, defineDetector } from './detector.ts'

/** The options of {@link Adwin}. */
export const ADWIN_OPTIONS = {
  delta: option.number({ above: 0, to: 1, default: 0.002, about: 'Significance of a cut; smaller is less sensitive.' }),
  clock: option.integer({
    from: 1,
    to: 2 ** 30,
    default: 32,
    about: 'Looks for a cut at every so many values; 1 has the least delay.',
  }),
  maxBuckets: option.integer({
    from: 1,
    to: 1000,
    default: 5,
    about: 'Buckets of one size before the two oldest are merged; more are finer and slower.',
  }),
  minSubWindow: option.integer({
    from: 1,
    to: 2 ** 30,
    default: 5,
    about: 'The shortest part of the window that may be compared, in values.',
  }),
  grace: option.integer({
    from: 0,
    to: 2 ** 30,
    default: 10,
    about: 'No cut while the window has this many values or fewer.',
  }),
  sides: option.choice(['both', 'increase'], {
    default: 'both',
    about: '`both` signals every cut; `increase` only those that raise the mean, since rarer errors are no drift.',
  }),
  compat: option.choice(['canonical', 'skm', 'river'], {
    default: 'canonical',
    about:
      '`canonical` as published; `skm` as scikit-multiflow, which passes over the newest bucket of every size when ' +
      'it looks for a cut and loses half of the variance at a merge; `river` as River, which forgets the whole ' +
      'window after a cut.',
  }),
}

/** Options of {@link Adwin}, as {@link ADWIN_OPTIONS} declares them. */
export type AdwinOptions = OptionsOf<typeof ADWIN_OPTIONS>

/** One bucket of the window of {@link Adwin}: `size` neighbouring values, summed up. */
export interface AdwinBucket {
  /** Number of values, a power of two. */
  readonly size: number
  /** Their sum. */
  readonly sum: number
  /** Their sum of squared deviations from their mean. */
  readonly deviation: number
}

/** Rows of buckets at most. Row r holds buckets of 2^r values, and a number counts exactly only up to 2^53. */
const ROWS = 54
/** Rows with places from the start; a window of n values needs about log₂(n / maxBuckets) of them. */
const FIRST_ROWS = 4
/** 2^r, the size of a bucket of row r. */
const SIZES = Float64Array.from({ length: ROWS }, () => 1)
for (let row = 1; row < ROWS; row++) SIZES[row] = 2 * SIZES[row - 1]

/**
 * ADWIN: a window that grows while its mean is stable and drops its old part when it is not.
 *
 * The window is kept as an exponential histogram. With n₀ values before and n₁ after a boundary, W in all and variance
 * v, the means of the two parts differ significantly when their distance exceeds √(2 m v δ′) + ⅔ m δ′, where
 * m = 1/(n₀−L+1) + 1/(n₁−L+1), L the shortest part allowed and δ′ = ln(2 ln(W)/δ). After a cut the recent part stays.
 *
 * A. Bifet and R. Gavaldà, "Learning from time-changing data with adaptive windowing", SDM 2007.
 *
 * @example
 * import { Adwin } from '@pb-oel/core/drift'
 * const detector = new Adwin()
 * const at = []
 * for (let i = 0; i < 400; i++) if (detector.update(i < 200 ? 0 : 1) === 'drift') at.push(i)
 * at // [223, 255, 287]: the window sheds the zeros in three steps
 */
export class Adwin implements DriftDetector {
  private readonly delta: number
  private readonly clock: number
  private readonly maxBuckets: number
  private readonly minSubWindow: number
  private readonly grace: number
  private readonly increase: boolean
  /**
   * Buckets passed over in each row when looking for a cut, and share of the older bucket's variance kept at a merge.
   */
  private readonly skipped: number
  private readonly kept: number
  private readonly river: boolean
  /** Each row is a ring of `mask` + 1 places; `heads` says where its oldest bucket is, `counts` how many there are. */
  private readonly shift: number
  private readonly mask: number
  private sums: Float64Array
  private deviations: Float64Array
  private readonly heads = new Int32Array(ROWS)
  private readonly counts = new Int32Array(ROWS)
  private rows = 1
  private size = 0
  private sum = 0
  private deviation = 0
  private untilCheck: number
  private signals = 0
  private spent = false

  constructor(options: AdwinOptions = {}) {
    const settings = readOptions(ADWIN_OPTIONS, options)
    this.delta = settings.delta
    this.clock = settings.clock
    this.maxBuckets = settings.maxBuckets
    this.minSubWindow = settings.minSubWindow
    this.grace = settings.grace
    this.increase = settings.sides === 'increase'
    const { compat } = settings
    this.skipped = compat === 'skm' ? 1 : 0
    this.kept = compat === 'skm' ? 0 : 1
    this.river = compat === 'river'
    this.shift = 32 - Math.clz32(this.maxBuckets)
    this.mask = (1 << this.shift) - 1
    this.sums = new Float64Array(FIRST_ROWS << this.shift)
    this.deviations = new Float64Array(FIRST_ROWS << this.shift)
    this.untilCheck = this.clock
  }

  /** Number of values in the window. */
  get width(): number {
    return this.size
  }

  /** Mean of the window; 0 when it is empty. */
  get mean(): number {
    return this.size === 0 ? 0 : this.sum / this.size
  }

  /** Population variance of the window; 0 when it is empty. */
  get variance(): number {
    return this.size === 0 ? 0 : Math.max(0, this.deviation) / this.size
  }

  /** How often drift was signalled since the last reset. */
  get detections(): number {
    return this.signals
  }

  /** The window, oldest bucket first. */
  buckets(): AdwinBucket[] {
    const list: AdwinBucket[] = []
    for (let row = this.rows - 1; row >= 0; row--) {
      for (let k = 0; k < this.counts[row]; k++) {
        const at = this.place(row, k)
        list.push({ size: SIZES[row], sum: this.sums[at], deviation: this.deviations[at] })
      }
    }
    return list
  }

  update(value: number): DriftSignal {
    if (this.spent) this.reset()
    const { size, sum } = this
    this.insert(value)
    if (--this.untilCheck > 0) return 'none'
    this.untilCheck = this.clock
    if (size + 1 <= this.grace || !this.hasCut()) return 'none'
    do this.dropOldest()
    while (this.hasCut())
    this.spent = this.river
    if (this.increase && !(this.mean > (size === 0 ? 0 : sum / size))) return 'none'
    this.signals++
    return 'drift'
  }

  reset(): void {
    this.heads.fill(0)
    this.counts.fill(0)
    this.rows = 1
    this.size = this.sum = this.deviation = this.signals = 0
    this.untilCheck = this.clock
    this.spent = false
  }

  transfer(io: StateIo): void {
    this.rows = io.number(this.rows)
    this.reserve(this.rows)
    this.size = io.number(this.size)
    this.sum = io.number(this.sum)
    this.deviation = io.number(this.deviation)
    this.untilCheck = io.number(this.untilCheck)
    this.signals = io.number(this.signals)
    this.spent = io.boolean(this.spent)
    io.fill(this.heads)
    io.fill(this.counts)
    io.fill(this.sums.subarray(0, this.rows << this.shift))
    io.fill(this.deviations.subarray(0, this.rows << this.shift))
  }

  /** Where the k-th oldest bucket of a row is. */
  private place(row: number, k: number): number {
    return (row << this.shift) + ((this.heads[row] + k) & this.mask)
  }

  private insert(value: number): void {
    const { sums, deviations, counts, size, sum } = this
    const at = this.place(0, counts[0]++)
    sums[at] = value
    deviations[at] = 0
    if (size > 0) {
      // (W−1)(x − T/(W−1))²/W with one division.
      const d = value * size - sum
      this.deviation += (d * d) / (size * (size + 1))
    }
    this.size = size + 1
    this.sum = sum + value
    for (let row = 0; counts[row] > this.maxBuckets; row++) this.mergeOldest(row)
  }

  /** Makes one bucket of twice the size of the two oldest of a row. */
  private mergeOldest(row: number): void {
    if (row + 1 === this.rows) this.openRow()
    const { sums, deviations, heads, counts } = this
    const first = this.place(row, 0)
    const second = this.place(row, 1)
    const difference = sums[first] - sums[second]
    const to = this.place(row + 1, counts[row + 1]++)
    sums[to] = sums[first] + sums[second]
    deviations[to] = this.kept * deviations[first] + deviations[second] + (difference * difference) / SIZES[row + 1]
    heads[row] = (heads[row] + 2) & this.mask
    counts[row] -= 2
  }

  /** Begins a row with empty places: what an earlier row left there is no part of the state. */
  private openRow(): void {
    this.reserve(this.rows + 1)
    const from = this.rows << this.shift
    const to = ++this.rows << this.shift
    this.sums.fill(0, from, to)
    this.deviations.fill(0, from, to)
  }

  /** Makes places for so many rows: memory grows with the window. */
  private reserve(rows: number): void {
    const wanted = rows << this.shift
    if (wanted <= this.sums.length) return
    const length = Math.min(ROWS << this.shift, Math.max(wanted, this.sums.length + (FIRST_ROWS << this.shift)))
    for (const name of ['sums', 'deviations'] as const) {
      const grown = new Float64Array(length)
      grown.set(this[name])
      this[name] = grown
    }
  }

  /** Whether the means before and after any boundary between buckets differ significantly. */
  private hasCut(): boolean {
    const { sums, heads, counts, size, sum, minSubWindow, mask, shift } = this
    const delta = quickLog((2 * quickLog(size)) / this.delta)
    const variance = Math.max(0, this.deviation) / size
    // With n₀′ = n₀−L+1 and n₁′ likewise, m = (W−2L+2)/(n₀′n₁′) ≥ (W−2L+2)/(n₀n₁). So a cut needs
    // f = |u₀W − Tn₀| = n₀n₁·distance above ⅔δ′(W−2L+2) + √(2vδ′(W−2L+2)·n₀n₁): a test without roots or divisions.
    const spare = size - 2 * minSubWindow + 2
    const linear = (2 / 3) * delta * spare
    const square = 2 * variance * delta * spare
    let f = 0
    let n0 = 0
    for (let row = this.rows - 1; row >= 0; row--) {
      const length = SIZES[row]
      const step = sum * length
      const base = row << shift
      const head = heads[row]
      const count = counts[row] - this.skipped
      for (let k = 0; k < count; k++) {
        n0 += length
        f += sums[base + ((head + k) & mask)] * size - step
        const n1 = size - n0
        const excess = Math.abs(f) - linear
        // One comparison for both conditions, excess > 0 and excess² > …: it is rarely true, so the processor predicts
        // it well.
        if (excess * Math.abs(excess) > square * n0 * n1 && n0 >= minSubWindow && n1 >= minSubWindow) {
          const m = 1 / (n0 - minSubWindow + 1) + 1 / (n1 - minSubWindow + 1)
          const bound = Math.sqrt(2 * m * variance * delta) + (2 / 3) * m * delta
          if (Math.abs(f) / (n0 * n1) > bound) return true
        }
      }
    }
    return false
  }

  private dropOldest(): void {
    const row = this.rows - 1
    const at = this.place(row, 0)
    const n = SIZES[row]
    const sum = this.sums[at]
    this.size -= n
    this.sum -= sum
    const d = sum / n - this.sum / this.size
    this.deviation -= this.deviations[at] + (n * this.size * d * d) / (n + this.size)
    this.heads[row] = (this.heads[row] + 1) & this.mask
    if (--this.counts[row] === 0) while (this.rows > 1 && this.counts[this.rows - 1] === 0) this.rows--
  }
}

/** The entry of {@link Adwin}. */
export const ADWIN: DetectorEntry = defineDetector({
  name: 'adwin',
  title: 'ADWIN',
  summary: 'a window that drops its old part when the mean changes',
  options: ADWIN_OPTIONS,
  create: (options) => new Adwin(options),
})
