import { Random } from '../../../math/random.ts'
import type { RvflKernel, RvflShape } from '../kernel.ts'
import { KNOWN_PRECISIONS } from '../known-precisions.ts'
import { SINGLE_PRECISION } from '../single-precision.ts'

// Kernels are tested in both precisions, as `methods.ts` offers them.
KNOWN_PRECISIONS.add([SINGLE_PRECISION])

/** A shape with the paper's constants, for the fields that do not matter. */
export function shapeOf(fields: Partial<RvflShape>): RvflShape {
  return { experts: 1, channels: 1, nodes: 0, levels: 1, ridge: 0.1, forgetting: 1, ...fields }
}

/** Gives every network of a kernel uniform random weights and biases, the same for the same shape and seed. */
export function drawWeights<K extends RvflKernel>(kernel: K, seed = 1): K {
  const { experts, channels, nodes } = kernel.shape
  const random = new Random(seed, 'weights')
  const draw = (length: number) => Float64Array.from({ length }, () => random.between(-1, 1))
  for (let expert = 0; expert < experts; expert++) kernel.setInputWeights(expert, draw(channels * nodes), draw(nodes))
  return kernel
}
