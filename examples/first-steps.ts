// Assess, answer, learn; then save and go on. Run: node examples/first-steps.ts
import { PbOel, Random, restoreAssessor } from '@pb-oel/core'

const assessor = new PbOel({ channels: 2, levels: 3, seed: 1 })
const world = new Random(1, 'world')

let right = 0
for (let t = 1; t <= 3000; t++) {
  const truth = world.integer(3)
  const sample = Float64Array.of(3 * truth + world.normal(), world.normal())

  const { id, level } = assessor.assess(sample)
  assessor.learn(id, level === truth ? { kind: 'confirm' } : { kind: 'reject' })

  if (level === truth) right++
  if (t % 1000 === 0) {
    console.log(`after ${t} right-or-wrong answers: ${(right / 10).toFixed(1)} % of the last 1,000 right`)
    right = 0
  }
}

const { applies, value, ultimate } = assessor.guarantee()
console.log(
  `guarantee ${applies ? 'applies' : 'does not apply'}: at least ${value.toFixed(3)}; best experts ${ultimate.toFixed(3)}`,
)

const copy = restoreAssessor(assessor.snapshot())
console.log('the restored copy says', copy.assess(Float64Array.of(6, 0)).level)
