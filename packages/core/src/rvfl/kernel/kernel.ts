import { option } from '../../options/option.ts'
import type { OptionsOf } from '../../options/option-table.ts'
import type { Stateful } from '../../state/state-io.ts'

/** Sizes and constants of a bank of RVFL networks. */
export const KERNEL_OPTIONS = {
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
  forgetting: option.number({
    above: 0,
    to: 1,
    required: true,
    about:
      'Forgetting factor f; 1 forgets nothing. Below 1, P grows without end where nothing excites it (wind-up), so no ' +
      'D_j grows beyond 2^20/λ.',
  }),
}

/** Sizes and constants of a bank of RVFL networks, as {@link KERNEL_OPTIONS} declares them. */
export type RvflShape = Readonly<OptionsOf<typeof KERNEL_OPTIONS>>

/**
 * How a kernel rounds. `exact`: every operation rounded as IEEE 754 says, in an order fixed by the source, so the same
 * bits on every engine and processor. `relaxed`: a multiplication and an addition may be rounded once or twice, as is
 * fastest on the processor at hand.
 */
export type KernelArithmetic = 'exact' | 'relaxed'

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
  /** How the state is computed. It is part of the state, and a state of the other kind is not loaded. */
  readonly arithmetic: KernelArithmetic
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
