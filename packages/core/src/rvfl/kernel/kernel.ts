import { option } from '../../options/option.ts'
import type { OptionsOf } from '../../options/option-table.ts'
import type { Stateful } from '../../state/state-io.ts'

/** Sizes and constants of a bank of RVFL networks. */
export const SHAPE_OPTIONS = {
  experts: option.integer({ from: 1, to: 10_000, required: true, about: 'Number of networks N.' }),
  channels: option.integer({ from: 1, to: 100_000, required: true, about: 'Number of channels d.' }),
  nodes: option.integer({ from: 0, to: 100_000, required: true, about: 'Enhancement nodes L of each network.' }),
  levels: option.integer({ from: 1, to: 10_000, required: true, about: 'Number of levels K.' }),
  ridge: option.number({
    from: 1e-12,
    to: 1e12,
    required: true,
    about: 'Ridge parameter λ: a fresh network has P = I/λ and W = 0.',
  }),
  // What keeps P from growing without end below 1 is said in arena-kernel.ts.
  forgetting: option.number({ above: 0, to: 1, required: true, about: 'Forgetting factor f; 1 forgets nothing.' }),
}

/** Sizes and constants of a bank of RVFL networks, as {@link SHAPE_OPTIONS} declares them. */
export type RvflShape = Readonly<OptionsOf<typeof SHAPE_OPTIONS>>

/**
 * How a kernel rounds a·b + c:
 *
 * - `exact`: the product and the sum are rounded, each as IEEE 754 says;
 * - `fused`: only the sum is rounded, as IEEE 754 says of fusedMultiplyAdd;
 * - `relaxed`: one of the two, as is fastest on the processor at hand.
 *
 * The source fixes the order of operations. So `exact` gives the same bits on every engine and processor, and `fused`
 * gives the same bits wherever it runs.
 */
export type KernelArithmetic = 'exact' | 'fused' | 'relaxed'

/** What numbers a kernel computes with: 64 bits or 32. */
export type Precision = 'double' | 'single'

/**
 * The hot loop: features and recursive least squares of all networks side by side.
 *
 * For network n and standardised sample z, with h = [z, σ(z·V + b)]:
 * `forward` computes h and ŷ = hᵀW; `update` then applies eqs. (gain), (P), (W) of the paper for the target y*:
 * k = P·h, s = f + h·k, P ← (P − k·kᵀ/s)/f, W ← W + (k/s)(y* − ŷ), with f the forgetting factor.
 *
 * P is kept as U·diag(D)·Uᵀ with U unit upper triangular (Bierman's form): every D_j stays positive, so P is positive
 * definite by construction, whatever the rounding.
 */
export interface RvflKernel extends Stateful {
  readonly shape: RvflShape
  /** How the state is computed. It is part of the state, and a state of another kind is not loaded. */
  readonly arithmetic: KernelArithmetic
  /** What numbers the state is made of; likewise. */
  readonly precision: Precision
  /** Raw outputs ŷ of the latest `forward`, network by network (N × K). */
  readonly outputs: Float64Array
  /** Sets the frozen random weights of one network: `weights` is d × L row by row, `biases` has length L. */
  setInputWeights(expert: number, weights: Float64Array, biases: Float64Array): void
  /**
   * Features and outputs of networks `first` … `last` − 1 (all by default) for the sample `z`; channels beyond ±1e8
   * count as ±1e8.
   */
  forward(z: Float64Array, first?: number, last?: number): void
  /** One update of networks `first` … `last` − 1 on the sample of their latest `forward`; `targets` is N × K. */
  update(targets: Float64Array, first?: number, last?: number): void
  /** Takes one network back to P = I/λ, W = 0; the random weights stay. */
  reset(expert: number): void
  /** P of one network as a full D × D matrix, D = d + L, in the order [z, nodes]; a copy, for tests and inspection. */
  covariance(expert: number): Float64Array
  /** W of one network as D × K, row by row; a copy. */
  outputWeights(expert: number): Float64Array
}
