/**
 * Whether the UD form stays sound in single precision, over a million updates of the paper's network for each setting.
 * Prints the table of docs/decisions/arithmetic.md.
 *
 * node packages/core/src/rvfl/kernel/testing/soundness-study.ts [updates] [inputs …]
 */
import { INPUTS, measureSoundness } from './soundness.ts'

const updates = Number(process.argv[2] ?? 1_000_000)
const chosen = process.argv.slice(3)
const row = (cells: readonly (string | number)[]) => console.log(`| ${cells.join(' | ')} |`)

row([
  'inputs',
  'λ',
  'forgetting',
  'smallest D_j',
  'largest λ·D_j',
  'finite',
  'ŷ single − double',
  'y* − ŷ, single',
  'double',
  'same level',
])
row(Array.from({ length: 10 }, () => '---'))
for (const inputs of INPUTS.filter((name) => chosen.length === 0 || chosen.includes(name))) {
  for (const ridge of [1e-3, 0.03, 1]) {
    for (const forgetting of [1, 0.999]) {
      const shape = { experts: 1, channels: 24, nodes: 100, levels: 3, ridge, forgetting }
      const { smallest, largest, finite, difference, error, agreement } = measureSoundness(shape, inputs, updates)
      const figures = [smallest, largest].map((value) => value.toExponential(1))
      const errors = [error.single, error.double].map((value) => value.toFixed(4))
      const same = `${(100 * agreement).toFixed(2)} %`
      row([inputs, ridge, forgetting, ...figures, finite ? 'yes' : 'NO', difference.toExponential(1), ...errors, same])
    }
  }
}
