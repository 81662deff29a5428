// Shows what one labelled outlier does to a model, by how it scales: node scripts/outlier.ts
// It writes one line of JSON per run: the share of right most probable levels after the outlier.
import { cpus } from 'node:os'
import { createAssessor } from '../packages/core/src/index.ts'

/** Answers after the outlier. */
const AFTER = 1_500

const command = 'node scripts/outlier.ts'
const date = new Date().toISOString().slice(0, 10)
const machine = `${cpus()[0].model}, ${cpus().length} cores`

/** Shares of right levels after an outlier as answer `at` of a stream of two levels in channels of 0 to 2. */
function measure(method: string, scaling: string, at: number) {
  const assessor = createAssessor(method, { channels: 2, levels: 2, seed: 1, edition: 2 }, { scaling })
  const right: number[] = []
  for (let t = 0; t <= at + AFTER; t++) {
    const level = (t * 7) % 5 < 2 ? 0 : 1
    const spread = ((t * 37) % 90) / 100
    const values = t === at ? [1e6, -1e6] : [1.1 * level + spread, 1.1 * level + 0.9 - spread]
    const { id, probabilities } = assessor.assess(Float64Array.from(values))
    if (t > at) right.push((probabilities[1] > probabilities[0] ? 1 : 0) === level ? 1 : 0)
    assessor.learn(id, { kind: 'label', level: t === at ? 0 : level })
  }
  const share = (from: number, to: number) => right.slice(from, to).reduce((sum, one) => sum + one, 0) / (to - from)
  return { first50: share(0, 50), first100: share(0, 100), from150: share(150, AFTER) }
}

for (const method of ['pb-oel', 'pb-oel-plus']) {
  for (const scaling of ['running', 'robust']) {
    for (const at of [0, 3, 15, 500]) {
      console.log(JSON.stringify({ command, date, machine, method, scaling, at, ...measure(method, scaling, at) }))
    }
  }
}
