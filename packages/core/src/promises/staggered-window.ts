import type { Stateful, StateIo } from '../state/state-io.ts'

/** An account that can be started again. */
interface Account extends Stateful {
  reset(): void
}

/**
 * The latest samples, by two accounts: each is started again every `length` samples, half a length apart. The older
 * one covers between half a length and a whole one. An account starts at a moment fixed in advance, so what is proved
 * for all times holds for each of them.
 */
export class StaggeredWindow<A extends Account> implements Stateful {
  private readonly half: number
  /** Both accounts, in no order. */
  readonly accounts: readonly [A, A]
  private readonly starts = new Float64Array(2)
  private older = 0
  private next = 0

  /**
   * @param length of the window in samples, at least 2
   * @param make makes an account
   */
  constructor(length: number, make: () => A) {
    this.half = Math.ceil(length / 2)
    this.accounts = [make(), make()]
  }

  /** The next sample begins; both accounts are then to be told of it. */
  advance(): void {
    if (this.next > 0 && this.next % this.half === 0) {
      this.accounts[this.older].reset()
      this.starts[this.older] = this.next
      this.older = 1 - this.older
    }
    this.next++
  }

  /** Whether account `index` has seen sample `id`, and so is to be told of its answer. */
  covers(index: number, id: number): boolean {
    return id >= this.starts[index]
  }

  /** The account of the window, and the sample it begins with. */
  get account(): A {
    return this.accounts[this.older]
  }

  get start(): number {
    return this.starts[this.older]
  }

  transfer(io: StateIo): void {
    for (const account of this.accounts) account.transfer(io)
    io.fill(this.starts)
    this.older = io.number(this.older)
    this.next = io.number(this.next)
  }
}
