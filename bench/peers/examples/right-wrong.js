// Learns from right and wrong alone: node right-wrong.js stream.csv
import { createAssessor } from '@pb-oel/core'
import { openStream } from '@pb-oel/lab'

const stream = openStream(process.argv[2])
const assessor = createAssessor('pb-oel-plus', { channels: stream.channels.length, levels: stream.levels.length })
let right = 0
for (const { x, level: truth } of stream) {
  const { id, level } = assessor.assess(x)
  assessor.learn(id, { kind: level === truth ? 'confirm' : 'reject' })
  if (level === truth) right++
}
console.log(right / stream.samples)
