// Shows what learning by reliability gives where one of three reviewers errs: node scripts/trust.ts
// It writes one line of JSON per setting: the share of right most probable levels after the first 500 samples.
import { cpus } from 'node:os'
import { Random } from '../packages/core/src/index.ts'
import { configure } from '../packages/server/src/fold/configure.ts'
import { SystemFold } from '../packages/server/src/fold/system-fold.ts'
import { eventOf, type Input } from '../packages/server/src/seat/input.ts'

const SAMPLES = 6_000
const WARM = 500
const SEEDS = [1, 2, 3]
/** Share of the samples that somebody answers, and of the answers that a second person is asked about. */
const [ANSWERED, SECOND] = [0.3, 0.1]

const command = 'node scripts/trust.ts'
const date = new Date().toISOString().slice(0, 10)
const machine = `${cpus()[0].model}, ${cpus().length} cores`

/** Four channels that tell the level more or less, and three people who say right or wrong. */
function accuracy(method: string, trust: boolean, worst: number, seed: number): number {
  const plant = { channels: ['a', 'b', 'c', 'd'], levels: ['safe', 'odd', 'unsafe'], method, seed }
  const fold = new SystemFold('plant', configure('plant', { ...plant, review: { secondOpinion: SECOND, trust } }), 1, 0)
  const random = new Random(seed, 'world')
  const people = [0.98, 0.95, worst]
  const enter = (input: Input, time: number) => fold.apply(eventOf(input, fold, time), time)
  let right = 0
  for (let t = 0; t < SAMPLES; t++) {
    const truth = Math.floor(t / 150) % 3
    const noise = () => random.normal()
    const values = [truth + 0.6 * noise(), (truth === 1 ? 1 : -1) + 0.8 * noise(), noise(), 0.3 * truth + noise()]
    enter({ kind: 'sample', given: { values }, by: 'sensor' }, 1000 * t)
    const { assessment, level, probabilities } = fold.recent.latest as {
      assessment: number
      level: number
      probabilities: number[]
    }
    if (t > WARM && probabilities.indexOf(Math.max(...probabilities)) === truth) right++
    const first = random.integer(3)
    const second = (first + 1 + random.integer(2)) % 3
    const says = [first, second].map((who) => random.uniform() < people[who] === (level === truth))
    if (random.uniform() >= ANSWERED) continue
    for (const [n, who] of [first, second].entries()) {
      if (n === 1 && fold.recent.get(assessment)?.second !== 'wanted') break
      const kind = says[n] ? 'confirm' : 'reject'
      enter({ kind: 'answer', given: { assessment, kind }, by: `reviewer ${who}` }, 1000 * t + 10 * (n + 1))
    }
  }
  return right / (SAMPLES - WARM - 1)
}

for (const method of ['pb-oel', 'pb-oel-plus']) {
  for (const worst of [0.5, 0.7, 0.95]) {
    const [off, on] = [false, true].map((trust) => SEEDS.map((seed) => accuracy(method, trust, worst, seed)))
    console.log(JSON.stringify({ command, date, machine, method, worst, off, on }))
  }
}
