import type { Feedback, FeedbackMode } from './assessor.ts'
import { FeedbackError, RepeatedFeedbackError, SampleError, UnknownAssessmentError } from './errors.ts'
import type { Stateful, StateIo } from './state/state-io.ts'

const OPEN = 1
const ANSWERED = 2

/** Where a row has numbers for each level: from `from` up to, but not including, `to`. */
interface AdvicePlace {
  readonly from: number
  readonly to: number
  readonly levels: number
}

/**
 * The assessments whose answers may still come, each with what was decided and why.
 *
 * A ring of the latest `capacity` assessments: bounded by count, and by age too, since an assessment is dropped when
 * `capacity` newer ones exist. Answered ones stay until then so that a repetition is recognised and a correction
 * possible.
 */
export class PendingAssessments implements Stateful {
  readonly capacity: number
  private readonly width: number
  private readonly rows: Float64Array
  private readonly status: Uint8Array
  private next = 0

  private readonly advice: AdvicePlace | undefined

  /**
   * @param capacity how many assessments are kept
   * @param width how many numbers are kept with each
   * @param advice which of them are numbers for each level
   */
  constructor(capacity: number, width: number, advice?: AdvicePlace) {
    this.capacity = capacity
    this.width = width
    this.advice = advice
    this.rows = new Float64Array(capacity * width)
    this.status = new Uint8Array(capacity)
  }

  /** Number of assessments so far; the id of the next one. */
  get count(): number {
    return this.next
  }

  /** Opens the next assessment and returns its id; its row is at {@link offset}. */
  open(): number {
    const id = this.next++
    this.status[id % this.capacity] = OPEN
    return id
  }

  /** The numbers kept with all assessments, row by row. */
  get data(): Float64Array {
    return this.rows
  }

  /** Where the row of `id` begins in {@link data}. */
  offset(id: number): number {
    return (id % this.capacity) * this.width
  }

  /** Throws unless `feedback` may be given for `id`. Returns true when it corrects an earlier answer. */
  check(id: number, feedback: Feedback): boolean {
    if (!Number.isInteger(id) || id < 0 || id >= this.next) throw new UnknownAssessmentError(id, 'never made')
    if (id < this.next - this.capacity) {
      throw new UnknownAssessmentError(id, `no longer kept; only the latest ${this.capacity} are`)
    }
    const answered = this.status[id % this.capacity] === ANSWERED
    if (answered && feedback.correction !== true) throw new RepeatedFeedbackError(id)
    return answered
  }

  /** Whether the assessment `id`, which is still kept, has no answer yet. */
  isOpen(id: number): boolean {
    return this.status[id % this.capacity] === OPEN
  }

  /** Marks `id` as answered. */
  close(id: number): void {
    this.status[id % this.capacity] = ANSWERED
  }

  transfer(io: StateIo): void {
    this.next = io.number(this.next)
    const used = Math.min(this.next, this.capacity)
    io.fill(this.status.subarray(0, used))
    if (!this.advice) {
      io.fill(this.rows.subarray(0, used * this.width))
      return
    }
    const { from, to, levels } = this.advice
    for (let row = 0; row < used * this.width; row += this.width) {
      io.fill(this.rows.subarray(row, row + from))
      io.perLevel(this.rows.subarray(row + from, row + to), levels)
      io.fill(this.rows.subarray(row + to, row + this.width))
    }
  }
}

/** Largest magnitude of a channel: squares and sums of squares stay finite. */
const LIMIT = 1e100

/** Whether a value can be a channel of a sample. */
export function isReading(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= LIMIT
}

/** Throws a {@link SampleError} unless `x` is a Float64Array of `channels` finite numbers within ±1e100. */
export function checkSample(x: Float64Array, channels: number): void {
  if (!(x instanceof Float64Array) || x.length !== channels) {
    const found = x instanceof Float64Array ? `${x.length} channels` : 'something else'
    throw new SampleError(`sample: expected a Float64Array of ${channels} channels, got ${found}`, -1, x)
  }
  for (let i = 0; i < channels; i++) {
    if (!isReading(x[i])) {
      throw new SampleError(`sample: channel ${i} is ${x[i]}, not a finite number within ±${LIMIT}`, i, x[i])
    }
  }
}

/** Throws a {@link FeedbackError} unless `mode` is one of the three words. */
export function checkMode(mode: FeedbackMode): void {
  if (mode !== 'full' && mode !== 'partial' && mode !== 'unknown') {
    throw new FeedbackError('mode', mode, 'full, partial or unknown')
  }
}

/** Throws a {@link FeedbackError} unless `feedback` is well formed for `levels` levels. */
export function checkFeedback(feedback: Feedback, levels: number): void {
  const kind = feedback?.kind
  const asked = feedback?.asked
  if (asked !== undefined && !(typeof asked === 'number' && asked > 0 && asked <= 1)) {
    throw new FeedbackError('asked', asked, 'a number in (0, 1]')
  }
  if (kind === 'confirm' || kind === 'reject') return
  if (kind !== 'label') throw new FeedbackError('kind', kind, 'label, confirm or reject')
  if (!Number.isInteger(feedback.level) || feedback.level < 0 || feedback.level >= levels) {
    throw new FeedbackError('level', feedback.level, `an integer in [0, ${levels - 1}]`)
  }
}
