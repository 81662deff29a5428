import { readOptions } from '../../options/option-table.ts'
import { KERNEL_OPTIONS, type RvflShape } from './kernel.ts'

/**
 * Where everything lies in the memory of a kernel, in units of one float64. The TypeScript kernel and the WebAssembly
 * kernel use the same arena, so that a state has the same bytes in both. Every part starts on a cache line (64 bytes);
 * the first 256 bytes are left to the constants of the WebAssembly module.
 *
 * One network takes `stride` numbers, in this order:
 *
 * - `inputWeights`: panels of 8 nodes; a panel is 8 biases, then for each channel its 8 weights, then zeros where the
 *   number of channels is odd;
 * - `features`: h = [z, nodes], padded with zeros to `width` = D rounded up to a multiple of 4;
 * - `gain`: k = P·h, `width` numbers;
 * - `diagonal`: D of P = U·D·Uᵀ, `width` numbers, 0 in the padding;
 * - `outputWeights`: W, one row of `width` numbers for each level;
 * - `factor`: U in panels of 4 columns, one after the other. Panel p has the rows 0 … 4p + 3 of its columns as tiles of
 *   2 rows × 4 columns = 64 bytes, column by column: `[u₀₀ u₁₀ u₀₁ u₁₁ u₀₂ u₁₂ u₀₃ u₁₃]`. The last two tiles are the
 *   diagonal block with its ones and zeros, which an update leaves as they are.
 *
 * The last three are the state, in one piece.
 */
export interface ArenaLayout {
  /** D = d + L. */
  readonly size: number
  /** D rounded up to a multiple of 4. */
  readonly width: number
  /** d rounded up to a multiple of 2. */
  readonly channelRows: number
  /** Panels of 8 nodes: ⌈L / 8⌉. */
  readonly nodePanels: number
  /** The latest sample. */
  readonly sample: number
  /** Outputs of all networks, N × K. */
  readonly outputs: number
  /** Targets of all networks, N × K. */
  readonly targets: number
  /** The first network. */
  readonly experts: number
  /** From one network to the next. */
  readonly stride: number
  /** From the start of a network. */
  readonly inputWeights: number
  readonly features: number
  readonly gain: number
  readonly diagonal: number
  readonly outputWeights: number
  readonly factor: number
  /** Length of the state of one network, from `diagonal`. */
  readonly stateLength: number
  /** Length of the whole arena. */
  readonly length: number
}

/** Numbers in a cache line; parts start at its multiples. */
const LINE = 8
/** Numbers left to the constants of the WebAssembly module. */
const RESERVED = 32

/** Lays out the arena for `shape`, which is checked here. */
export function arenaLayout(shape: RvflShape): ArenaLayout {
  const { experts, channels, nodes, levels } = readOptions(KERNEL_OPTIONS, shape)

  const size = channels + nodes
  const width = roundUp(size, 4)
  const panels = width / 4
  const channelRows = roundUp(channels, 2)
  const nodePanels = roundUp(nodes, 8) / 8

  const sample = RESERVED
  const outputs = sample + roundUp(channels, LINE)
  const targets = outputs + roundUp(experts * levels, LINE)
  const first = targets + roundUp(experts * levels, LINE)

  const inputWeights = 0
  const features = inputWeights + nodePanels * 8 * (channelRows + 1)
  // The last panel of nodes may reach beyond the padded width.
  const gain = features + roundUp(Math.max(width, channels + nodePanels * 8), LINE)
  const diagonal = gain + roundUp(width, LINE)
  const outputWeights = diagonal + roundUp(width, LINE)
  const factor = outputWeights + roundUp(levels * width, LINE)
  const stride = factor + 8 * panels * (panels + 1)
  return {
    size,
    width,
    channelRows,
    nodePanels,
    sample,
    outputs,
    targets,
    experts: first,
    stride,
    inputWeights,
    features,
    gain,
    diagonal,
    outputWeights,
    factor,
    stateLength: stride - diagonal,
    length: first + experts * stride,
  }
}

/** Index of u(row, column) from the start of the factor; row ≤ 4⌊column / 4⌋ + 3. */
export function factorIndex(row: number, column: number): number {
  const panel = column >> 2
  return 8 * panel * (panel + 1) + (row >> 1) * 8 + (column & 3) * 2 + (row & 1)
}

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple
}
