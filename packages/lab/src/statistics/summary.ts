/** Mean; NaN of nothing. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Sample standard deviation (n − 1 in the denominator), as in the paper's tables; 0 for a single value. */
export function sampleStd(values: readonly number[]): number {
  if (values.length < 2) return 0
  const centre = mean(values)
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1))
}
