/**
 * The name that was probably meant: the one with the fewest edits, if a third of its letters or fewer differ.
 *
 * @param name as it was written
 * @param names that exist
 */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  let nearest: string | undefined
  let fewest = Infinity
  for (const candidate of names) {
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (edits >= fewest || edits > Math.max(1, Math.floor(candidate.length / 3))) continue
    fewest = edits
    nearest = candidate
  }
  return nearest
}

/** Insertions, deletions, replacements and swaps of neighbouring letters that turn one name into the other. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) next[j] = Math.min(next[j], before[j - 2] + 1)
    }
    before = row
    row = next
  }
  return row[b.length]
}
