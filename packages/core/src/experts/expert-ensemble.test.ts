import '../methods.ts'
import { describe, expect, it } from 'vitest'
import type { Feedback } from '../assessor.ts'
import { OptionError } from '../errors.ts'
import { laws } from '../laws/assessor-laws.ts'
import { CHANNELS, draw, LEVELS } from '../laws/task.ts'
import { Random } from '../math/random.ts'
import { PbOel } from '../pb-oel/pb-oel.ts'
import { PbOelPlus } from '../pb-oel-plus/pb-oel-plus.ts'
import { obey } from '../testing/obey.ts'
import { logOdds, scriptedPbOel } from '../testing/scripted.ts'
import type { Member } from './member.ts'

const TASK = { channels: CHANNELS, levels: LEVELS, networks: 2, groups: 2, nodes: 4, pending: 128 }
const MEMBERS: readonly Member[] = [
  { kind: 'persistence', patience: 2 },
  { kind: 'naive-bayes' },
  { kind: 'nearest-neighbours', window: 50 },
  { kind: 'hoeffding-tree', gracePeriod: 50, maxNodes: 15 },
]

describe('pb-oel with members of every kind', () => {
  obey(
    laws({
      create: (seed) => new PbOel({ ...TASK, seed, members: MEMBERS }),
      restore: PbOel.restore,
    }),
  )
})
describe('pb-oel-plus with members of every kind, noise estimated', () => {
  obey(
    laws({
      create: (seed) => new PbOelPlus({ ...TASK, seed, members: MEMBERS, noise: 'estimated' }),
      restore: PbOelPlus.restore,
    }),
  )
})
describe('pb-oel-plus without networks, with costs', () => {
  obey(
    laws({
      create: (seed) =>
        new PbOelPlus({
          ...TASK,
          seed,
          networks: 0,
          members: MEMBERS,
          costs: [
            [0, 1, 2],
            [5, 0, 1],
            [9, 5, 0],
          ],
        }),
      restore: PbOelPlus.restore,
    }),
  )
})

/** Plays rounds with a full label each and returns the accuracy of the last half. */
function play(assessor: PbOel | PbOelPlus, rounds: number): number {
  const random = new Random(3, 'play')
  let right = 0
  for (let t = 0; t < rounds; t++) {
    const { x, level: truth } = draw(random)
    const { id, level } = assessor.assess(x, 'full')
    if (t >= rounds / 2 && level === truth) right++
    assessor.learn(id, { kind: 'label', level: truth })
  }
  return right / (rounds / 2)
}

describe('experts beside the networks', () => {
  it.each([PbOel, PbOelPlus])('%s: a naive Bayes expert on a Gaussian task is found to be the best', (Ensemble) => {
    const bad: Member = { kind: 'persistence', patience: 1 }
    const assessor = new Ensemble({ ...TASK, networks: 0, members: [bad, { kind: 'naive-bayes' }, bad] })
    // Naive Bayes is right about this task, at 0.69; repeating the last level is right once in three.
    expect(play(assessor, 3000)).toBeGreaterThan(Ensemble === PbOelPlus ? 0.62 : 0.4)
    expect(assessor.guarantee().bestExpert).toBe(1)
    expect(assessor.shares[1]).toBe(Math.max(...assessor.shares))
  })

  it('show their votes behind those of the networks, and the blend behind all', () => {
    const assessor = new PbOelPlus({ ...TASK, members: [{ kind: 'persistence' }] })
    const { x } = draw(new Random(1, 'x'))
    const first = assessor.assess(x)
    expect(first.experts).toHaveLength(4)
    assessor.learn(first.id, { kind: 'label', level: 2 })
    expect(assessor.assess(x).experts[2]).toBe(2)
  })

  it('learn from the warm-up set', () => {
    const warmUp = [0, 1, 2].map((level) => ({ x: [level, 0, 0, 0], level }))
    const assessor = new PbOelPlus({ ...TASK, warmUp, networks: 0, members: [{ kind: 'persistence' }] })
    expect(assessor.assess(new Float64Array(CHANNELS)).level).toBe(2)
  })

  it.each([
    ['members', 'persistence'],
    ['members[0].kind', [{ kind: 'oracle' }]],
    ['members[1].kind', [{ kind: 'persistence' }, null]],
    ['members[0].patience', [{ kind: 'persistence', patience: 0 }]],
    ['members[0].misspelt', [{ kind: 'naive-bayes', misspelt: 1 }]],
    ['networks', []],
  ])('refuse %s', (option, members) => {
    const options = { ...TASK, members: members as Member[], ...(option === 'networks' && { networks: 0 }) }
    expect(() => new PbOelPlus(options)).toThrow(OptionError)
    expect(() => new PbOelPlus(options)).toThrow(`option ${option}`)
  })

  it('answers to chosen samples count by their importance', () => {
    const moved = (feedback: Feedback) => {
      const assessor = scriptedPbOel(3, LEVELS, { c: 1, horizon: 500, restarts: false, rho: 0 })
      expect(assessor.assess(Float64Array.of(0, 0, 1)).level).toBe(0)
      assessor.learn(0, feedback)
      return logOdds(assessor)[2]
    }
    expect(moved({ kind: 'confirm' })).toBeLessThan(0)
    expect(moved({ kind: 'confirm', asked: 0.25 })).toBeCloseTo(4 * moved({ kind: 'confirm' }), 12)
    expect(moved({ kind: 'label', level: 1 })).toBeGreaterThan(0)
    expect(moved({ kind: 'label', level: 1, asked: 0.1 })).toBeCloseTo(10 * moved({ kind: 'label', level: 1 }), 12)
  })

  it('where samples are chosen PB-OEL promises nothing', () => {
    const once = new PbOel({ ...TASK, horizon: 500, restarts: false, penalty: false, drift: false })
    const { x } = draw(new Random(1, 'x'))
    once.learn(once.assess(x).id, { kind: 'confirm', asked: 0.25 })
    expect(once.guarantee().reason).toContain('chosen')
    expect(() => once.learn(once.assess(x).id, { kind: 'confirm', asked: 0 })).toThrow('asked')
  })

  it('are sure of a level by their shares, which nobody changes from outside', () => {
    const assessor = scriptedPbOel(3, LEVELS, { c: 1, horizon: 500, rho: 1 })
    const { level, confidence } = assessor.assess(Float64Array.of(0, 0, 1), 'full')
    expect(confidence).toBeCloseTo(level === 0 ? 2 / 3 : 1 / 3, 12)
    assessor.shares.fill(9)
    expect([...assessor.shares]).toEqual([1 / 3, 1 / 3, 1 / 3])
  })

  it.each([1, 2] as const)('edition %i: only the latest answer may be open, and edition 1 does not look', (edition) => {
    const assessor = scriptedPbOel(2, LEVELS, { edition })
    const reason = () => assessor.guarantee().reason
    const ask = () => assessor.assess(Float64Array.of(0, 1)).id
    assessor.learn(ask(), { kind: 'confirm' })
    expect([reason(), 'regretWithConfidence' in assessor.guarantee()]).toEqual([undefined, edition === 2])
    const open = ask()
    expect(reason()).toBeUndefined()
    assessor.learn(ask(), { kind: 'confirm' })
    if (edition === 1) expect(reason()).toBeUndefined()
    else expect(reason()).toMatch(/^1 assessment was not answered/)
    assessor.learn(open, { kind: 'confirm' })
    expect(reason()).toMatch(/^1 answer came after a later assessment/)
    for (const late of [ask(), ask()].slice(0, 1)) assessor.learn(late, { kind: 'confirm' })
    expect(reason()).toMatch(/^2 answers came after a later assessment/)
  })

  it('what the coin passed over is not missed', () => {
    const assessor = scriptedPbOel(2, LEVELS, { edition: 2 })
    const passed = assessor.assess(Float64Array.of(0, 1)).id
    assessor.noteCoin(passed, { probability: 0.5, asked: false })
    assessor.learn(assessor.assess(Float64Array.of(0, 1)).id, { kind: 'confirm' })
    expect(assessor.guarantee().reason).toBeUndefined()
  })
})
