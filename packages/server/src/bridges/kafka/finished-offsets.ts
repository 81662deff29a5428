/** Which messages of a partition are finished: its offset may be committed up to the first that is not. */
export class FinishedOffsets {
  private readonly open = new Set<bigint>()
  private next: bigint | undefined
  private committed: bigint | undefined

  /** Messages that are not finished. */
  get unfinished(): number {
    return this.open.size
  }

  begin(offset: bigint): void {
    this.open.add(offset)
    this.next = offset + 1n
  }

  finish(offset: bigint): void {
    this.open.delete(offset)
  }

  /** The offset to commit, where it has changed since the last call: that of the first message to read again. */
  take(): bigint | undefined {
    // A set is in the order of its entries, and messages of a partition come in order.
    const [first = this.next] = this.open
    if (first === this.committed) return undefined
    this.committed = first
    return first
  }
}
