import type { Stateful, StateIo } from '../state/state-io.ts'

/**
 * The latest samples, without an account of their own. Two marks hold what the sums of an account were when a window
 * began. Each is set again every `length` samples, half a length apart. What the account has more than the older mark
 * is the window: between half a length and a whole one. An answer to a sample from before a mark changes both, account
 * and mark, and so not the window.
 *
 * A mark is set at a moment fixed in advance, so what is proved of accounts for all times holds for each window.
 */
export class StaggeredWindow implements Stateful {
  private readonly half: number
  private readonly marks: readonly [Float64Array, Float64Array]
  private readonly starts = new Float64Array(2)
  private older = 0
  private next = 0

  /**
   * @param length of the window in samples, at least 2
   * @param width number of sums
   */
  constructor(length: number, width: number) {
    this.half = Math.ceil(length / 2)
    this.marks = [new Float64Array(width), new Float64Array(width)]
  }

  /** The next sample begins; the account is told of it afterwards. */
  advance(sums: Float64Array): void {
    if (this.next > 0 && this.next % this.half === 0) {
      this.marks[this.older].set(sums)
      this.starts[this.older] = this.next
      this.older = 1 - this.older
    }
    this.next++
  }

  /** Calls `change` with each mark that was set after sample `id`. */
  changeMarksAfter(id: number, change: (mark: Float64Array) => void): void {
    for (let i = 0; i < 2; i++) if (id < this.starts[i]) change(this.marks[i])
  }

  /** What the sums were when the window began. */
  get mark(): Float64Array {
    return this.marks[this.older]
  }

  /** The sample that the window begins with. */
  get start(): number {
    return this.starts[this.older]
  }

  transfer(io: StateIo): void {
    for (const mark of this.marks) io.fill(mark)
    io.fill(this.starts)
    this.older = io.number(this.older)
    this.next = io.number(this.next)
  }
}
