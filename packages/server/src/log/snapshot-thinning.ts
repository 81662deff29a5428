/** The latest that are all kept: to start from, and to look back a little. */
const LATEST = 8
/** Of the older ones, the distance between two is at most this share of their age. */
const SHARE = 1 / 8

/**
 * Snapshots that need not be kept. The latest stay, and so does the oldest, which a compacted log begins with. In
 * between they are thinned out with their age: their number grows with the logarithm of the log, and compaction finds
 * one near every age.
 *
 * @param sequences where the snapshots stand, oldest first
 */
export function superfluousSnapshots(sequences: readonly number[]): number[] {
  const kept = [...sequences]
  const dropped: number[] = []
  const end = kept.at(-1) ?? 0
  for (let i = kept.length - 1 - LATEST; i >= 1; i--) {
    if (kept[i + 1] - kept[i - 1] <= SHARE * (end - kept[i + 1])) dropped.push(...kept.splice(i, 1))
  }
  return dropped
}
