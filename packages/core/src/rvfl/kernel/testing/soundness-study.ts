/**
 * Whether the UD form stays sound in single precision, over a million updates of the paper's network for each setting.
 * Prints one line of JSON for each; docs/measured/soundness.ndjson keeps them for docs/decisions/arithmetic.md.
 *
 * node packages/core/src/rvfl/kernel/testing/soundness-study.ts [updates] [inputs …]
 */
import { cpus } from 'node:os'
import { INPUTS, measureSoundness } from './soundness.ts'

const updates = Number(process.argv[2] ?? 1_000_000)
const chosen = process.argv.slice(3)
const study = {
  command: ['node packages/core/src/rvfl/kernel/testing/soundness-study.ts', ...process.argv.slice(2)].join(' '),
  date: new Date().toISOString().slice(0, 10),
  machine: `${cpus()[0].model}, ${cpus().length} cores, Node ${process.versions.node}`,
}

for (const inputs of INPUTS.filter((name) => chosen.length === 0 || chosen.includes(name))) {
  for (const ridge of [1e-3, 0.03, 1]) {
    for (const forgetting of [1, 0.999]) {
      const shape = { experts: 1, channels: 24, nodes: 100, levels: 3, ridge, forgetting }
      const found = measureSoundness(shape, inputs, updates)
      console.log(JSON.stringify({ ...study, inputs, ridge, forgetting, ...found }))
    }
  }
}
