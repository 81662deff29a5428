import { readOptions } from '../../options/option-table.ts'
import { type Precision, type RvflShape, SHAPE_OPTIONS } from './kernel.ts'

/**
 * Where everything lies in the memory of a kernel, in units of one number. The TypeScript kernels and the WebAssembly
 * kernels use the same arena, so that a state has the same bytes in both. Every part starts on a cache line (64 bytes:
 * 8 numbers in double precision, 16 in single); the first 256 bytes are left to the constants of the WebAssembly
 * module.
 *
 * One network takes `stride` numbers, in this order:
 *
 * - `inputWeights`: panels of nodes, one line wide; a panel is its biases, then for each channel its weights, then
 *   zeros
 *   where the number of channels is odd;
 * - `features`: h = [z, nodes], padded with zeros to `width` = D rounded up to a multiple of 4;
 * - `gain`: k = P·h, `width` numbers;
 * - `diagonal`: D of P = U·D·Uᵀ, `width` numbers, 0 in the padding;
 * - `outputWeights`: W, one row of `width` numbers for each level;
 * - `factor`: U in panels of 4 columns, one after the other. Panel p has the rows 0 … 4p + 3 of its columns as tiles of
 *   one line, column by column: 2 rows × 4 columns in double precision `[u₀₀ u₁₀ u₀₁ u₁₁ u₀₂ u₁₂ u₀₃ u₁₃]`, 4 rows × 4
 *   columns in single. The last four rows are the diagonal block with its ones and zeros, which an update leaves as
 *   they are.
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
  /** Numbers in a vector of 16 bytes: 2 in double precision, 4 in single. */
  readonly lanes: number
  /** Numbers in a cache line: 8 or 16. */
  readonly line: number
  /** Panels of nodes, one line wide. */
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

/** Lines left to the constants of the WebAssembly module. */
const RESERVED = 4

/** Lays out the arena for `shape`, which is checked here. */
export function arenaLayout(shape: RvflShape, precision: Precision = 'double'): ArenaLayout {
  const { experts, channels, nodes, levels } = readOptions(SHAPE_OPTIONS, shape)

  const lanes = precision === 'double' ? 2 : 4
  const line = 4 * lanes
  const size = channels + nodes
  const width = roundUp(size, 4)
  const panels = width / 4
  const channelRows = roundUp(channels, 2)
  const nodePanels = roundUp(nodes, line) / line

  const sample = RESERVED * line
  const outputs = sample + roundUp(channels, line)
  const targets = outputs + roundUp(experts * levels, line)
  const first = targets + roundUp(experts * levels, line)

  const inputWeights = 0
  const features = inputWeights + nodePanels * line * (channelRows + 1)
  // The last panel of nodes may reach beyond the padded width.
  const gain = features + roundUp(Math.max(width, channels + nodePanels * line), line)
  const diagonal = gain + roundUp(width, line)
  const outputWeights = diagonal + roundUp(width, line)
  const factor = outputWeights + roundUp(levels * width, line)
  const stride = factor + 8 * panels * (panels + 1)
  return {
    lanes,
    line,
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

/** Index of u(row, column) from the start of the factor; row ≤ 4⌊column / 4⌋ + 3. `lanes` is 2 or 4. */
export function factorIndex(row: number, column: number, lanes: number): number {
  const panel = column >> 2
  const lane = row & (lanes - 1)
  return 8 * panel * (panel + 1) + (row - lane) * 4 + (column & 3) * lanes + lane
}

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple
}
