import { describe, expect, it } from 'vitest'
import type { Feedback } from '../assessor.ts'
import { defineDetector } from '../drift/detector.ts'
import { OptionError } from '../errors.ts'
import { extensionsOf } from '../extensions.ts'
import { laws } from '../laws/assessor-laws.ts'
import { CHANNELS, draw, LEVELS } from '../laws/task.ts'
import { Random } from '../math/random.ts'
import { addLevel } from '../methods.ts'
import { PbOel, type PbOelOptions } from '../pb-oel/pb-oel.ts'
import { PbOelPlus } from '../pb-oel-plus/pb-oel-plus.ts'
import { openSnapshot } from '../state/snapshot.ts'
import { obey } from '../testing/obey.ts'
import { logOdds, SCRIPTED_EXTENSIONS, scriptedPbOel, scriptedPlus } from '../testing/scripted.ts'
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
  it.each([
    ['PB-OEL', PbOel],
    ['PB-OEL+', PbOelPlus],
  ] as const)('%s: a naive Bayes expert on a Gaussian task is found to be the best', (_, Ensemble) => {
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

  it('counts rounds, labels and rewards, and bounds the regret, by hand', () => {
    const assessor = scriptedPbOel(2, LEVELS, { c: 1, horizon: 500, rho: 0, restarts: false, regretWindow: 2 })
    // Expert 0 is right in rounds 0 and 1, expert 1 in rounds 1 and 2.
    const rounds = [
      [0, 1, 0],
      [1, 1, 1],
      [0, 2, 2],
    ]
    let right = 0
    for (const [first, second, truth] of rounds) {
      const { id, level } = assessor.assess(Float64Array.of(first, second), 'full')
      if (level === truth) right++
      assessor.learn(id, { kind: 'label', level: truth })
    }
    const guarantee = assessor.guarantee()
    expect(guarantee).toMatchObject({ rounds: 3, labelledRounds: 3, applies: true, bestExpert: 0 })
    expect(guarantee).not.toHaveProperty('reason')
    expect(guarantee.accuracy).toBeCloseTo(right / 3, 12)
    expect(guarantee.bestExpertAccuracy).toBeCloseTo(2 / 3, 12)
    expect(guarantee.penalty).toBeGreaterThan(0)
    expect(guarantee.value).toBeCloseTo(2 / 3 - guarantee.penalty, 12)
    expect(guarantee.regret).toBeCloseTo((2 - right) / 3, 12)
    // Both experts are right twice, so the regret against the worse for us is what it is against either.
    expect(guarantee.regretWithConfidence?.value).toBeCloseTo((2 - right) / 3, 12)
    expect(guarantee.regretWithConfidence).toMatchObject({ samples: 3, confidence: 0.95 })
    expect(guarantee.regretWithConfidence?.window.samples).toBeLessThan(3)
    assessor.learn(assessor.assess(Float64Array.of(0, 0)).id, { kind: 'confirm' })
    expect(assessor.guarantee()).toMatchObject({ rounds: 4, labelledRounds: 3 })
  })

  it('a late answer slows PB-OEL+ down by the answers that came between', () => {
    const assessor = scriptedPlus(3, LEVELS)
    const say = () => assessor.assess(Float64Array.of(1, 1, 1)).id
    for (let t = 0; t < 4; t++) say()
    // d is the fading mean of (samples since) · (share answered so far); all experts agree, so η is 1 but for it.
    let [lateness, heard] = [0, 0]
    for (const [answered, id] of [0, 2, 3, 1].entries()) {
      assessor.learn(id, { kind: 'confirm' })
      lateness = 0.99 * lateness + (3 - id) * Math.min(1, (answered + 1) / (id + 1))
      heard = 0.99 * heard + 1
      expect(assessor.rate).toBeCloseTo(1 / Math.sqrt(1 + (2 * lateness) / heard), 12)
    }
  })

  it('with two levels a rejection teaches PB-OEL+ the other one', () => {
    const assessor = scriptedPlus(2, 2)
    for (const level of [0, 1]) {
      const [, before] = assessor.shares
      const assessment = assessor.assess(Float64Array.of(0, 1))
      expect(assessment.level).toBe(level)
      assessor.learn(assessment.id, { kind: 'reject' })
      if (level === 0) expect(assessor.shares[1]).toBeGreaterThan(before)
      else expect(assessor.shares[1]).toBeLessThan(before)
    }
  })

  it('with costs vote for what is cheapest, by the costs of the caller', () => {
    const costs = [
      [0, 1, 1],
      [1, 0, 1],
      [9, 9, 0],
    ]
    const members = [{ kind: 'persistence' }]
    const votes = (options: Partial<PbOelOptions>) => [
      ...new PbOel({ ...TASK, networks: 0, members, ...options }).assess(new Float64Array(CHANNELS)).experts,
    ]
    // Before any answer all levels are alike to it.
    expect([votes({}), votes({ costs })]).toEqual([[0], [2]])
  })

  it('networks take detectors from outside, and show their drift once', () => {
    const third = defineDetector({
      ...{ name: 'third', title: 'third', summary: 'drift at the third value', options: {} },
      create() {
        let count = 0
        return { update: () => (++count === 3 ? 'drift' : 'none'), reset() {}, transfer() {} }
      },
    })
    const extensions = extensionsOf({ './third.ts': { default: third } })
    const assessor = new PbOel({ ...TASK, detector: './third.ts' }, extensions)
    const drifts = Array.from({ length: 5 }, () => {
      const { id, drifts } = assessor.assess(new Float64Array(CHANNELS))
      const shown = [...drifts]
      assessor.learn(id, { kind: 'label', level: 1 })
      return shown
    })
    expect(drifts).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
      [1, 1],
      [0, 0],
    ])
  })

  it.each([1, 2] as const)('edition %i: what old logs and snapshots hold stays as it was', (edition) => {
    const make = (options: Partial<PbOelOptions> = {}) =>
      new PbOel({ ...TASK, edition, ...options }, SCRIPTED_EXTENSIONS)
    const { x } = draw(new Random(1, 'x'))
    // Learners draw from the seed of the ensemble from edition 2 on.
    const seeded = make({ networks: 0, members: [{ kind: './seeded.ts' }], seed: 2 })
    expect([...seeded.assess(x).experts]).toEqual([edition === 1 ? 0 : 2])
    // Snapshots name the edition from then on, and an old one has no coins.
    const assessor = make()
    const { id } = assessor.assess(x)
    assessor.noteCoin(id, { probability: 0.5, asked: true })
    assessor.learn(id, { kind: 'confirm' })
    const { edition: named } = openSnapshot(assessor.snapshot()).options
    expect(named).toBe(edition === 1 ? undefined : 2)
    const copy = PbOel.restore(assessor.snapshot())
    expect(copy.snapshot()).toEqual(assessor.snapshot())
    // Robust scales have no floor from then on: the unit of a channel makes no difference.
    const [votes, inSmallUnits] = [1, 2 ** -20].map((unit) => {
      const robust = make({ scaling: 'robust', drift: false })
      const random = new Random(5, 'units')
      return Array.from({ length: 60 }, () => {
        const { x, level } = draw(random)
        const assessment = robust.assess(x.map((value) => value * unit))
        const said = [...assessment.experts]
        robust.learn(assessment.id, { kind: 'label', level })
        return said
      })
    })
    if (edition === 2) expect(inSmallUnits).toEqual(votes)
    else expect(inSmallUnits).not.toEqual(votes)
  })

  it('another level leaves the advice under way where it was', () => {
    const assessor = scriptedPlus(2, LEVELS)
    const ids = [0, 1].map(() => assessor.assess(Float64Array.of(0, 1), 'full').id)
    const wider = addLevel(assessor, SCRIPTED_EXTENSIONS) as PbOelPlus
    for (const one of [assessor, wider]) for (const id of ids) one.learn(id, { kind: 'label', level: 1 })
    expect(wider.levels).toBe(LEVELS + 1)
    expect(wider.shares[0]).toBeLessThan(0.5)
    for (const [n, share] of wider.shares.entries()) expect(share).toBeCloseTo(assessor.shares[n], 12)
  })

  it('what the coin passed over is not missed', () => {
    const assessor = scriptedPbOel(2, LEVELS, { edition: 2 })
    const passed = assessor.assess(Float64Array.of(0, 1)).id
    assessor.noteCoin(passed, { probability: 0.5, asked: false })
    assessor.learn(assessor.assess(Float64Array.of(0, 1)).id, { kind: 'confirm' })
    expect(assessor.guarantee().reason).toBeUndefined()
  })
})
