/** Ranks with 1 for the largest value; equal values share the mean of their places. */
export function averageRanks(values: readonly number[]): number[] {
  return values.map((value) => {
    const above = values.filter((other) => other > value).length
    const equal = values.filter((other) => other === value).length
    return above + (equal + 1) / 2
  })
}
