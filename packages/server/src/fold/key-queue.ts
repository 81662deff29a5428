/**
 * A map whose oldest keys go first. A `Map` alone finds its oldest key slowly: it walks over the places of all keys
 * that were deleted before.
 */
export class KeyQueue<T> {
  private readonly values = new Map<string, T>()
  /** The keys, oldest first. Those before `head` are gone. */
  private order: string[] = []
  private head = 0

  get size(): number {
    return this.values.size
  }

  get(key: string): T | undefined {
    return this.values.get(key)
  }

  /** The value of the oldest key. */
  get oldest(): T | undefined {
    return this.values.get(this.order[this.head])
  }

  /** Sets a value. A key that is there already keeps its place. */
  set(key: string, value: T): void {
    if (!this.values.has(key)) this.order.push(key)
    this.values.set(key, value)
  }

  /** Removes the oldest key. */
  shift(): void {
    this.values.delete(this.order[this.head++])
    if (this.head * 2 <= this.order.length) return
    this.order = this.order.slice(this.head)
    this.head = 0
  }

  /** Keys with their values, oldest first. */
  [Symbol.iterator](): IterableIterator<[string, T]> {
    return this.values[Symbol.iterator]()
  }
}
