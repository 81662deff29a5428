/** The one-hot target of a known label, the same for every network: `out` is N × K. */
export function labelTargets(out: Float64Array, levels: number, level: number): void {
  for (let i = 0; i < out.length; i++) out[i] = i % levels === level ? 1 : 0
}

/**
 * The penalty target of a rejected level a: each network's own confidences, with the entry of a replaced by ζ < 0
 * (the paper's eq. for y*, third and second case). It lowers the output of a and leaves the others as they are.
 *
 * @param confidences N × K
 */
export function penaltyTargets(
  out: Float64Array,
  confidences: Float64Array,
  levels: number,
  rejected: number,
  penalty: number,
): void {
  for (let i = 0; i < out.length; i++) out[i] = i % levels === rejected ? penalty : confidences[i]
}
