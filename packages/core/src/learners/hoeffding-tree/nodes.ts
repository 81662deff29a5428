import type { StateIo } from '../../state/state-io.ts'

/**
 * The shape of a tree in flat arrays. A node is a number, the root is 0; the two children of a split are neighbours.
 */
export class TreeNodes {
  /** Number of nodes. */
  count = 1
  /** Channel a split looks at, or −1 for a leaf. */
  private feature = new Int32Array(4).fill(-1)
  /** A sample goes left when its channel is at most this. */
  private threshold = new Float64Array(4)
  /** The left child of a split (the right one follows it), or the statistics of a leaf in the pool. */
  private next = new Int32Array(4)
  /** Splits above a node. */
  private depth = new Int32Array(4)

  /** The leaf node that `x` belongs to. */
  route(x: Float64Array): number {
    const { feature, threshold, next } = this
    let node = 0
    for (let channel = feature[0]; channel >= 0; channel = feature[node]) {
      node = x[channel] <= threshold[node] ? next[node] : next[node] + 1
    }
    return node
  }

  /** Where the statistics of a leaf node are. */
  leafOf(node: number): number {
    return this.next[node]
  }

  /** Splits above a node. */
  depthOf(node: number): number {
    return this.depth[node]
  }

  /** Splits above the deepest leaf. */
  get height(): number {
    let height = 0
    for (let node = 0; node < this.count; node++) height = Math.max(height, this.depth[node])
    return height
  }

  /** The splits parents before their children. */
  splits(): { channel: number; threshold: number; depth: number }[] {
    const list = []
    for (let node = 0; node < this.count; node++) {
      const channel = this.feature[node]
      if (channel >= 0) list.push({ channel, threshold: this.threshold[node], depth: this.depth[node] })
    }
    return list
  }

  /** Turns a leaf node into a split with two leaves. */
  split(node: number, channel: number, threshold: number, leftLeaf: number, rightLeaf: number): void {
    const left = this.count
    this.count += 2
    if (this.count > this.next.length) this.resize(2 * this.next.length)
    this.feature[node] = channel
    this.threshold[node] = threshold
    this.next[node] = left
    for (let child = left; child < left + 2; child++) {
      this.feature[child] = -1
      this.next[child] = child === left ? leftLeaf : rightLeaf
      this.depth[child] = this.depth[node] + 1
    }
  }

  transfer(io: StateIo): void {
    this.count = io.number(this.count)
    if (io.reading) this.resize(Math.max(4, this.count))
    io.fill(this.feature.subarray(0, this.count))
    io.fill(this.threshold.subarray(0, this.count))
    io.fill(this.next.subarray(0, this.count))
    io.fill(this.depth.subarray(0, this.count))
  }

  private resize(length: number): void {
    this.feature = resized(this.feature, new Int32Array(length))
    this.threshold = resized(this.threshold, new Float64Array(length))
    this.next = resized(this.next, new Int32Array(length))
    this.depth = resized(this.depth, new Int32Array(length))
  }
}

/** Copies as much of `old` into `fresh` as fits, and returns `fresh`. */
export function resized<A extends Int32Array | Float64Array | Uint8Array>(old: A, fresh: A): A {
  fresh.set(old.subarray(0, Math.min(old.length, fresh.length)))
  return fresh
}
