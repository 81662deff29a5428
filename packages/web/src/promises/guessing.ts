/** What a guess between all levels would reach. No promise that says less is shown. */
export function guessedAccuracy(levels: number): number {
  return 1 / levels
}

/** Share of misses of a guess between all levels, where all are equally frequent. */
export function guessedMisses(levels: number): number {
  return (levels - 1) / (2 * levels)
}
