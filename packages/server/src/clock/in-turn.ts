/** Pieces of work one after the other: what a worker owns may come and go faster than it starts. */
export class InTurn {
  private last: Promise<unknown> = Promise.resolve()

  /** Does a piece of work when all earlier ones are done, however they went. */
  take(work: () => Promise<void>): Promise<void> {
    const next = this.last.then(work)
    this.last = next.catch(() => {})
    return next
  }
}
