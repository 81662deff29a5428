/** Index of the largest probability, the first of equals. */
export function mostProbable(probabilities: readonly number[]): number {
  return probabilities.indexOf(Math.max(...probabilities))
}
