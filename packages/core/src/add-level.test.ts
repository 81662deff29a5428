import { describe, expect, it } from 'vitest'
import type { Assessor } from './assessor.ts'
import { OptionError } from './errors.ts'
import { argmax } from './learners/learner.ts'
import { Random } from './math/random.ts'
import { addLevel, createAssessor, METHODS, restoreAssessor } from './methods.ts'
import { Promises } from './promises/promises.ts'

const CENTRES = [
  [0, 0, 0],
  [6, 0, 3],
  [0, 6, 3],
]

/** A sample of a level: a cluster of its own. */
function sampleOf(level: number, random: Random): Float64Array {
  return Float64Array.from(CENTRES[level], (centre) => centre + random.normal())
}

/** Labels `rounds` samples of the given levels in turn; returns how many of the last 60 were most likely right. */
function teach(assessor: Assessor, levels: readonly number[], rounds: number, seed = 1): number {
  const random = new Random(seed, 'teach')
  let right = 0
  for (let t = 0; t < rounds; t++) {
    const level = levels[Math.floor(t / 5) % levels.length]
    const { id, probabilities } = assessor.assess(sampleOf(level, random), 'full')
    if (t >= rounds - 60 && argmax(Float64Array.from(probabilities)) === level) right++
    assessor.learn(id, { kind: 'label', level })
  }
  return right
}

const widening = METHODS.filter(({ widen }) => widen)
const settings = { pending: 64 }

describe.each(widening)('$name with another level', ({ name }) => {
  it('says the same of the others, takes the answers under way, and learns the new level', () => {
    const before = createAssessor(name, { channels: 3, levels: 2, seed: 3 }, settings)
    teach(before, [0, 1], 200)
    const { id, level } = before.assess(sampleOf(0, new Random(5, 'open')))
    const wider = addLevel(before)
    expect([wider.levels, before.levels]).toEqual([3, 2])
    const random = new Random(6, 'compare')
    for (let t = 0; t < 40; t++) {
      // Also far from everything learned.
      const x = sampleOf(t % 2, random).map((value) => 4 * value)
      const [old, now] = [before, wider].map((assessor) => argmax(Float64Array.from(assessor.assess(x).probabilities)))
      expect(now).toBe(old)
    }
    wider.learn(id, { kind: level === 0 ? 'confirm' : 'reject' })
    const right = teach(wider, [2, 0, 1], 240, 8)
    if (name !== 'majority' && name !== 'no-change') expect(right).toBeGreaterThan(50)
  })

  it('goes on from its snapshot with the same bits', () => {
    const before = createAssessor(name, { channels: 3, levels: 2, seed: 3 }, settings)
    teach(before, [0, 1], 100)
    const wider = addLevel(before)
    const copy = restoreAssessor(wider.snapshot())
    for (const assessor of [wider, copy]) teach(assessor, [0, 2, 1], 60)
    expect(Buffer.compare(copy.snapshot(), wider.snapshot())).toBe(0)
  })
})

describe('another level', () => {
  it('is refused by name where the method cannot take it, and where costs say nothing of it', () => {
    const rival = createAssessor('oadac2', { channels: 3, levels: 2 })
    expect(() => addLevel(rival)).toThrow(OptionError)
    expect(() => addLevel(rival)).toThrow(/a method that can take another level: pb-oel, pb-oel-plus/)
    for (const name of ['pb-oel', 'pb-oel-plus', 'rvfl', 'rvfl-hddm-np', 'arf', 'srp', 'no-change', 'majority']) {
      expect(() => addLevel(createAssessor(name, { channels: 3, levels: 2 })), name).not.toThrow()
    }
    const costs = [
      [0, 1],
      [9, 0],
    ]
    expect(() => addLevel(createAssessor('pb-oel', { channels: 3, levels: 2, costs }))).toThrow(/costs/)
  })

  it('leaves every promise as it was, and its own figures are empty', () => {
    const promises = new Promises({ levels: 2, pending: 8 })
    const assessor = createAssessor('no-change', { channels: 3, levels: 2 })
    for (let t = 0; t < 40; t++) {
      const assessment = assessor.assess(new Float64Array(3))
      promises.open(assessment)
      const answer = { kind: 'label', level: t % 2 } as const
      assessor.learn(assessment.id, answer)
      promises.settle(assessment.id, answer)
    }
    const wider = promises.withLevel()
    expect(wider.report()).toEqual({ ...promises.report(), answersPerLevel: [20, 20, 0] })
    expect([wider.outcomesOf(1), wider.outcomesOf(2).weight]).toEqual([promises.outcomesOf(1), 0])
  })
})
