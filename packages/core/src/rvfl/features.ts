import type { Random } from '../math/random.ts'

/**
 * The frozen random part of one RVFL network: `weights` is d × L row by row, `biases` has length L = groups · nodes.
 */
export interface InputWeights {
  weights: Float64Array
  biases: Float64Array
}

/**
 * Draws the enhancement nodes of one network: W ~ U(−1, 1) group by group and one bias ~ U(−1, 1) for all nodes of a
 * group. A group's columns are made orthonormal when there are at least as many channels as nodes; with fewer, the
 * residuals would be rounding noise blown up to unit length, so they are left as drawn.
 *
 * Y.-H. Pao et al., "Learning and generalization characteristics of the random vector functional-link net", 1994.
 */
export function drawInputWeights(random: Random, channels: number, groups: number, nodes: number): InputWeights {
  const width = groups * nodes
  const weights = new Float64Array(channels * width)
  const biases = new Float64Array(width)
  for (let g = 0; g < groups; g++) {
    const first = g * nodes
    for (let i = 0; i < channels; i++) {
      for (let j = 0; j < nodes; j++) weights[i * width + first + j] = random.between(-1, 1)
    }
    if (channels >= nodes) orthonormalise(weights, channels, width, first, nodes)
    biases.fill(random.between(-1, 1), first, first + nodes)
  }
  return { weights, biases }
}

/** Modified Gram–Schmidt on columns `first` … `first + count − 1` of a `rows` × `width` matrix. */
function orthonormalise(matrix: Float64Array, rows: number, width: number, first: number, count: number): void {
  const dot = (a: number, b: number): number => {
    let sum = 0
    for (let i = 0; i < rows; i++) sum += matrix[i * width + a] * matrix[i * width + b]
    return sum
  }
  for (let j = first; j < first + count; j++) {
    for (let earlier = first; earlier < j; earlier++) {
      const projection = dot(j, earlier)
      for (let i = 0; i < rows; i++) matrix[i * width + j] -= projection * matrix[i * width + earlier]
    }
    const norm = Math.sqrt(dot(j, j))
    for (let i = 0; i < rows; i++) matrix[i * width + j] /= norm
  }
}
