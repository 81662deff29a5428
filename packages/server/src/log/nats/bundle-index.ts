/** A message of a system at its place in the stream. */
export interface Place {
  /** Number of the last record of the message. */
  last: number
  /** Number of the message in the stream. */
  place: number
}

/** How many messages of a system are remembered. */
const KEPT = 8_192

/**
 * Where the messages of one system are in the stream of its shard, as far as this process has seen them. The others are
 * found by bisection between the nearest places known here.
 */
export class BundleIndex {
  /** Both numbers rise. */
  private places: Place[] = []
  /** Whether the neighbour in front of an entry is known to be the message in front of it in the stream. */
  private readonly follows = new Set<number>()

  /** Remembers a message; `previous` is the place of the one in front of it, when that is known. */
  add({ last, place }: Place, previous?: number): void {
    const entry = { last, place }
    const at = this.firstAtPlace(place)
    if (this.places[at]?.place !== entry.place) this.places.splice(at, 0, entry)
    // Only a neighbour that is kept here too says where the gap is.
    if (previous !== undefined && this.places[at - 1]?.place === previous) this.follows.add(entry.place)
    if (this.places.length > KEPT) {
      for (const { place } of this.places.splice(0, KEPT / 2)) this.follows.delete(place)
    }
  }

  /** Where the message with a record is: at one place when both numbers are equal, otherwise somewhere between them. */
  range(record: number, end: number): { from: number; to: number } {
    let low = 0
    let high = this.places.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.places[middle].last < record) low = middle + 1
      else high = middle
    }
    const found = this.places[low] as Place | undefined
    const before = this.places[low - 1] as Place | undefined
    if (found && before && this.follows.has(found.place)) return { from: found.place, to: found.place }
    return { from: (before?.place ?? 0) + 1, to: found?.place ?? end }
  }

  private firstAtPlace(place: number): number {
    let low = 0
    let high = this.places.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.places[middle].place < place) low = middle + 1
      else high = middle
    }
    return low
  }
}
