import { Random } from '../../../math/random.ts'
import { StateReader, StateWriter } from '../../../state/state-io.ts'
import { createKernel } from '../create.ts'
import type { RvflKernel, RvflShape } from '../kernel.ts'
import { arenaLayout } from '../layout.ts'
import { drawWeights } from './random-kernel.ts'

/** Inputs for recursive least squares, from mild to those that break other forms of it. */
export const INPUTS = ['mild', 'correlated', 'constant', 'raw'] as const

/** One of {@link INPUTS}. */
export type Inputs = (typeof INPUTS)[number]

/** What a run in single precision showed, beside the same run in double. */
export interface Soundness {
  /** Smallest D_j seen; P is positive definite while it is positive. */
  readonly smallest: number
  /** Largest λ·D_j seen: at most 1 without forgetting, at most 2^20 with. */
  readonly largest: number
  /** Whether every output and every weight was finite. */
  readonly finite: boolean
  /** Root mean square of ŷ(single) − ŷ(double), over the last tenth. */
  readonly difference: number
  /** Root mean square of y* − ŷ, over the last tenth, in single and in double precision. */
  readonly error: { readonly single: number; readonly double: number }
  /** Share of the last tenth in which both precisions name the same level. */
  readonly agreement: number
}

/**
 * One sample: every second channel is independent of the others, and the rest is
 *
 * - `mild`: independent as well;
 * - `correlated`: equal but for a billionth, which single precision does not resolve;
 * - `constant`: always 1, or always 0;
 * - `raw`: 1e5 with a variation of a millionth, as a sensor that nobody standardised.
 */
function drawSample(random: Random, inputs: Inputs, z: Float64Array): void {
  const common = random.normal()
  for (let c = 0; c < z.length; c++) {
    const own = random.normal()
    if (c % 2 === 0 || inputs === 'mild') z[c] = own
    else if (inputs === 'correlated') z[c] = common + 1e-9 * own
    else z[c] = inputs === 'constant' ? (c >> 1) & 1 : 1e5 * (1 + 1e-6 * own)
  }
}

/** Trains one network in both precisions on the same samples and watches D, P and ŷ. */
export function measureSoundness(shape: RvflShape, inputs: Inputs, updates: number): Soundness {
  const double = drawWeights(createKernel(shape))
  const single = drawWeights(createKernel(shape, { precision: 'single' }))
  const random = new Random(17, `soundness ${inputs}`)
  const z = new Float64Array(shape.channels)
  const targets = new Float64Array(shape.levels)
  const sums = { difference: 0, single: 0, double: 0, agreement: 0, count: 0 }
  const seen = { smallest: Infinity, largest: 0, finite: true }
  for (let n = 0; n < updates; n++) {
    drawSample(random, inputs, z)
    // The level follows the first channels, with a tenth of noise.
    const level = random.uniform() < 0.1 ? random.integer(shape.levels) : levelOf(z, shape.levels)
    targets.fill(0)
    targets[level] = 1
    double.forward(z)
    single.forward(z)
    if (n >= 0.9 * updates) compareOutputs(single.outputs, double.outputs, targets, sums)
    double.update(targets)
    single.update(targets)
    if (n % 1000 === 999 || n === updates - 1) watch(single, seen)
  }
  const mean = (sum: number) => Math.sqrt(sum / (sums.count * shape.levels))
  return {
    ...seen,
    largest: seen.largest * shape.ridge,
    difference: mean(sums.difference),
    error: { single: mean(sums.single), double: mean(sums.double) },
    agreement: sums.agreement / sums.count,
  }
}

function levelOf(z: Float64Array, levels: number): number {
  const position = (z[0] + (z.length > 2 ? z[2] * z[0] : 0)) / 2 + levels / 2
  return Math.max(0, Math.min(levels - 1, Math.floor(position)))
}

function compareOutputs(
  single: Float64Array,
  double: Float64Array,
  targets: Float64Array,
  sums: { difference: number; single: number; double: number; agreement: number; count: number },
): void {
  for (let k = 0; k < targets.length; k++) {
    sums.difference += (single[k] - double[k]) ** 2
    sums.single += (targets[k] - single[k]) ** 2
    sums.double += (targets[k] - double[k]) ** 2
  }
  sums.agreement += single.indexOf(Math.max(...single)) === double.indexOf(Math.max(...double)) ? 1 : 0
  sums.count++
}

function watch(kernel: RvflKernel, seen: { smallest: number; largest: number; finite: boolean }): void {
  for (const d of diagonalOf(kernel)) {
    seen.smallest = Math.min(seen.smallest, d)
    seen.largest = Math.max(seen.largest, d)
  }
  seen.finite &&= [kernel.outputs, kernel.outputWeights(0)].every((values) => values.every(Number.isFinite))
}

/** D of the first network: its state begins with it. */
export function diagonalOf(kernel: RvflKernel): Float64Array | Float32Array {
  const writer = new StateWriter()
  kernel.transfer(writer)
  const reader = new StateReader(writer.finish())
  reader.text()
  const { size } = arenaLayout(kernel.shape, kernel.precision)
  const d = kernel.precision === 'double' ? new Float64Array(size) : new Float32Array(size)
  reader.fill(d)
  return d
}
