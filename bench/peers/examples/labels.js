// Adaptive random forest, every label given: node labels.js stream.csv
import { createAssessor } from '@pb-oel/core'
import { openStream } from '@pb-oel/lab'

const stream = openStream(process.argv[2])
const forest = createAssessor('arf', { channels: stream.channels.length, levels: stream.levels.length })
let right = 0
for (const { x, level: truth } of stream) {
  const { id, level } = forest.assess(x, 'full')
  forest.learn(id, { kind: 'label', level: truth })
  if (level === truth) right++
}
console.log(right / stream.samples)
