import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { copyAssessment } from '../assessor.ts'
import { OptionError } from '../errors.ts'
import { CHANNELS, draw, LEVELS } from '../laws/task.ts'
import { Random } from '../math/random.ts'
import { createAssessor } from '../methods.ts'
import { describeOptions } from '../options/describe-options.ts'
import { openSnapshot } from '../state/snapshot.ts'
import { dive } from '../streams/dive.ts'
import { answer, play } from '../testing/play.ts'
import { logOdds, scriptedPbOel } from '../testing/scripted.ts'
import { PB_OEL, PB_OEL_SCALED, PB_OEL_STANDARD, PbOel, type PbOelOptions } from './pb-oel.ts'

const TASK = { channels: CHANNELS, levels: LEVELS, networks: 4, groups: 2, nodes: 4 }

describe('PbOel', () => {
  it('learns from right and wrong alone, better with labels', () => {
    const partial = play(new PbOel({ ...TASK, seed: 3 }), 4000, 0)
    const full = play(new PbOel({ ...TASK, seed: 3 }), 4000, 1)
    // Bayes accuracy of the task is about 0.68, guessing 0.33.
    expect(partial).toBeGreaterThan(0.5)
    expect(full).toBeGreaterThan(0.6)
    expect(full).toBeGreaterThan(partial)
  })

  it('has the defaults of the paper (Section V: N = N₁ = N₂ = 10, ζ = −0.5; Algorithm 1: restarts) and of its figures', () => {
    const defaults = (method: typeof PB_OEL) =>
      Object.fromEntries(describeOptions(method).map((option) => [option.name, option.default]))
    const paper = { groups: 10, nodes: 10, penalty: -0.5, c: 0.1, alpha: 0.8, restarts: true }
    // What the paper leaves open: one-hot advice, cut-off confidence, a drawn level, λ, and a buffer of fifty.
    const open = { advice: 'hard', confidence: 'clip', action: 'sample', ridge: 0.1, buffer: 50, forgetting: 1 }
    expect(defaults(PB_OEL)).toMatchObject({ ...paper, ...open })
    expect(new PbOel({ channels: 2, levels: 3 }).shares).toHaveLength(10)
    // Theorem 1 is of c = 1 without restarts, Corollary 2 of any c without them.
    expect(defaults(PB_OEL_STANDARD)).toMatchObject({ ...paper, ...open, c: 1, restarts: false })
    expect(defaults(PB_OEL_SCALED)).toMatchObject({ ...paper, ...open, restarts: false })
  })

  it('takes options of the caller before those that make a variant', () => {
    const own = createAssessor('pb-oel-standard', { channels: 1, levels: 2 }, { c: 0.5, restarts: true })
    expect(openSnapshot(own.snapshot()).options).toMatchObject({ c: 0.5, restarts: true })
  })

  it('gives copies of assessments that share nothing with them', () => {
    const assessment = new PbOel(TASK).assess(new Float64Array(CHANNELS))
    const copy = copyAssessment(assessment)
    expect(copy).toEqual(assessment)
    for (const name of ['probabilities', 'experts', 'drifts'] as const) expect(copy[name]).not.toBe(assessment[name])
  })

  it('keeps the options as they were given, whatever becomes of the lists in them', () => {
    const warmUp = [{ x: [1, 2, 3, 4], level: 0 }]
    const costs = [
      [0, 1, 2],
      [9, 0, 1],
      [9, 9, 0],
    ]
    const assessor = new PbOel({ ...TASK, warmUp, costs })
    const before = assessor.snapshot()
    costs[0][1] = 7
    warmUp[0].x[0] = 7
    warmUp.push({ x: [0, 0, 0, 0], level: 1 })
    expect(assessor.snapshot()).toEqual(before)
  })

  it('lowers the rejected level at the same sample, and keeps the proportions of the others', () => {
    const assessor = new PbOel({ ...TASK, networks: 1, advice: 'soft', seed: 5, drift: false })
    play(assessor, 60, 1)
    const random = new Random(8, 'penalty')
    let compared = 0
    for (let i = 0; i < 20; i++) {
      const { x } = draw(random)
      const before = assessor.assess(x, 'full')
      const rejected = before.level
      const old = before.probabilities.slice()
      assessor.learn(before.id, { kind: 'reject' })
      const now = assessor.assess(x, 'full').probabilities
      expect(now[rejected]).toBeLessThan(old[rejected])
      const [a, b] = [0, 1, 2].filter((level) => level !== rejected)
      if (old[a] < 0.01 || old[b] < 0.01) continue
      expect(now[a] * old[b]).toBeCloseTo(now[b] * old[a], 9)
      compared++
    }
    expect(compared).toBeGreaterThan(5)
  })

  it('makes no use of a rejection when the penalty is off', () => {
    const assessor = new PbOel({ ...TASK, penalty: false, horizon: 1e6 })
    play(assessor, 100, 1)
    const { x } = draw(new Random(1, 'x'))
    const before = assessor.assess(x, 'full').probabilities.slice()
    assessor.learn(100, { kind: 'reject' })
    expect(assessor.assess(x, 'full').probabilities).toEqual(before)
  })

  it('explores unless a full label is promised', () => {
    const assessor = new PbOel({ ...TASK, c: 1, horizon: 200, rho: 0 })
    const { x } = draw(new Random(1, 'x'))
    expect(Math.min(...assessor.assess(x, 'full').probabilities)).toBe(0)
    for (const mode of ['partial', 'unknown'] as const) {
      expect(Math.min(...assessor.assess(x, mode).probabilities)).toBeCloseTo(assessor.gamma / LEVELS, 12)
    }
  })

  it.each(['full', 'unknown'] as const)('labels in mode %s make it explore no more than verdicts would', (mode) => {
    const accuracy = (edition: 1 | 2) => {
      const assessor = new PbOel({ ...TASK, seed: 2, firstEpoch: 100, edition })
      const random = new Random(3, 'unknown')
      const first = assessor.gamma
      let [right, explored] = [0, 0]
      for (let t = 0; t < 3000; t++) {
        const { x, level: truth } = draw(random)
        const { id, level } = assessor.assess(x, mode)
        explored = Math.max(explored, assessor.explored)
        if (level === truth) right++
        assessor.learn(id, { kind: 'label', level: truth })
      }
      return { right: right / 3000, explored: explored / first }
    }
    const [before, now] = [accuracy(1), accuracy(2)]
    // γ follows the share of labels that were promised; edition 1 took every label for one that had been.
    expect(now.explored).toBeLessThanOrEqual(1)
    if (mode === 'unknown') {
      expect(before.explored).toBeGreaterThan(2)
      expect(now.right).toBeGreaterThan(before.right)
    }
  })

  it('restarts its weights on schedule', () => {
    const assessor = new PbOel({ ...TASK, horizon: 1000, alpha: 0.5 })
    play(assessor, 1000, 0.5)
    // ⌊√1000⌋ + 1 = 32 rounds in a batch.
    expect(assessor.restarts).toBe(Math.floor(1000 / 32))
  })

  it('a restart makes all weights equal again, and no other round does', () => {
    const assessor = scriptedPbOel(3, LEVELS, { c: 1, horizon: 1000, alpha: 0.5 })
    for (let t = 1; t <= 100; t++) {
      const { id } = assessor.assess(Float64Array.of(0, 1, 1), 'full')
      assessor.learn(id, { kind: 'label', level: 1 })
      const [, second] = logOdds(assessor)
      if (t % 32 === 0) expect(second).toBe(0)
      else expect(second).toBeGreaterThan(0)
    }
  })

  it('takes the most probable level when told to, and then promises nothing', () => {
    const assessor = new PbOel({ ...TASK, action: 'argmax' })
    play(assessor, 200, 0)
    for (const random = new Random(2, 'argmax'); random.position < 200; ) {
      const { level, probabilities } = assessor.assess(draw(random).x)
      expect(probabilities[level]).toBe(Math.max(...probabilities))
    }
    expect(assessor.guarantee()).toMatchObject({ applies: false, reason: expect.stringContaining('argmax') })
  })

  it('rebuilds networks when the meaning of the sensors changes', () => {
    const assessor = new PbOel({ ...TASK, seed: 2 })
    const random = new Random(4, 'flip')
    let drifts = 0
    const recent: boolean[] = []
    for (let t = 0; t < 3000; t++) {
      const level = random.integer(LEVELS)
      const x = Float64Array.from({ length: CHANNELS }, (_, i) => (i === level ? 4 : 0) + random.normal())
      const truth = t < 1500 ? level : (level + 1) % LEVELS
      const assessment = assessor.assess(x, 'full')
      drifts += assessment.drifts.reduce((a, b) => a + b)
      if (t < 1500) expect(drifts).toBe(0)
      if (t >= 2500) recent.push(assessment.level === truth)
      assessor.learn(assessment.id, { kind: 'label', level: truth })
    }
    expect(drifts).toBeGreaterThanOrEqual(4)
    expect(recent.filter(Boolean).length / recent.length).toBeGreaterThan(0.9)
  })

  it('a correction takes the weights where the right answer would have taken them', () => {
    const make = () => {
      const assessor = new PbOel({ ...TASK, c: 1, horizon: 400, restarts: false, penalty: false, drift: false })
      play(assessor, 50, 1)
      return assessor
    }
    const [corrected, direct] = [make(), make()]
    const { x } = draw(new Random(6, 'x'))
    for (const assessor of [corrected, direct]) assessor.assess(x)
    corrected.learn(50, { kind: 'reject' })
    corrected.learn(50, { kind: 'label', level: 2, correction: true })
    direct.learn(50, { kind: 'label', level: 2 })
    for (const [n, share] of corrected.shares.entries()) expect(share).toBeCloseTo(direct.shares[n], 12)
    expect(corrected.guarantee().accuracy).toBe(direct.guarantee().accuracy)
    expect(corrected.guarantee().rounds).toBe(51)
  })

  it.each([
    ['a confirmation', { kind: 'confirm' }],
    ['a label', { kind: 'label', level: 0 }],
  ] as const)('a correction of %s takes back what it gave, once', (_, first) => {
    const make = () => scriptedPbOel(3, LEVELS, { c: 1, horizon: 400, restarts: false, rho: 0 })
    const [corrected, direct] = [make(), make()]
    for (const assessor of [corrected, direct]) expect(assessor.assess(Float64Array.of(0, 0, 2)).level).toBe(0)
    corrected.learn(0, first)
    expect(logOdds(corrected)[2]).toBeLessThan(0)
    corrected.learn(0, { kind: 'label', level: 2, correction: true })
    direct.learn(0, { kind: 'label', level: 2 })
    expect(logOdds(corrected)[2]).toBeCloseTo(logOdds(direct)[2], 12)
    expect(corrected.guarantee().ultimate).toBeCloseTo(direct.guarantee().ultimate, 12)
    expect(corrected.guarantee().accuracy).toBe(0)
    corrected.learn(0, { kind: 'reject', correction: true })
    expect(logOdds(corrected)[2]).toBeCloseTo(0, 12)
    expect(corrected.guarantee().ultimate).toBeCloseTo(0, 12)
  })

  it('a correction after a restart leaves the new weights alone', () => {
    const assessor = scriptedPbOel(2, LEVELS, { c: 1, horizon: 100, alpha: 0 })
    for (let t = 0; t < 2; t++) {
      const { id } = assessor.assess(Float64Array.of(0, 1), 'full')
      assessor.learn(id, { kind: 'label', level: 0 })
    }
    expect(assessor.restarts).toBe(1)
    assessor.learn(1, { kind: 'label', level: 1, correction: true })
    expect(logOdds(assessor)).toEqual([0, 0])
  })

  it('goes on bit for bit from a snapshot at any point of a dive', () => {
    const options: PbOelOptions = {
      channels: 24,
      levels: 3,
      seed: 1,
      networks: 2,
      groups: 1,
      horizon: 3000,
      alpha: 0.5,
    }
    const assessor = new PbOel(options)
    let other = assessor
    const feedback = new Random(1, 'feedback')
    const restoreAt = new Set(Array.from({ length: 6 }, () => feedback.integer(3000)))
    let t = 0
    for (const { x, level: truth } of dive({ samples: 3000 })) {
      if (restoreAt.has(t++)) {
        other = PbOel.restore(other.snapshot())
        expect(other.shares).toEqual(assessor.shares)
      }
      const full = feedback.uniform() < 0.1
      const { id, level } = assessor.assess(x, full ? 'full' : 'partial')
      assessor.learn(id, answer(full, level, truth))
      if (other === assessor) continue
      const twin = other.assess(x, full ? 'full' : 'partial')
      if (twin.level !== level) throw new Error(`assessment ${t} differs`)
      other.learn(twin.id, answer(full, twin.level, truth))
    }
    expect(other.guarantee()).toEqual(assessor.guarantee())
    expect(Buffer.compare(other.snapshot(), assessor.snapshot())).toBe(0)
  })

  it('mixes the advice with a uniform share γ, and rewards by 1/p and by importance', () => {
    const assessor = scriptedPbOel(3, LEVELS, { c: 1, restarts: false, horizon: 400, rho: 0, seed: 3 })
    const { gamma } = assessor
    const rate = gamma / LEVELS
    const { id, level, probabilities } = assessor.assess(Float64Array.of(0, 1, 1), 'partial')
    const p = [1 / 3, 2 / 3, 0].map((share) => (1 - gamma) * share + gamma / LEVELS)
    for (const [k, expected] of p.entries()) expect(probabilities[k]).toBeCloseTo(expected, 12)
    assessor.learn(id, { kind: 'confirm', asked: 0.25 })
    const [, second] = logOdds(assessor)
    expect(second).toBeCloseTo(((level === 1 ? 1 : -1) * 4 * rate) / p[level], 12)
    // Ledger: the best expert's rewards are estimates, 4/p of one round.
    expect(assessor.guarantee().ultimate).toBeCloseTo(4 / p[level], 9)
    const next = assessor.assess(Float64Array.of(2, 1, 2), 'full')
    assessor.learn(next.id, { kind: 'label', level: 2, asked: 0.5 })
    const [, , third] = logOdds(assessor)
    expect(third).toBeCloseTo(second, 12)
    expect(logOdds(assessor)[1]).toBeCloseTo(second - 2 * rate, 12)
  })

  it('counts what was right, and what a correction makes of it', () => {
    const assessor = scriptedPbOel(2, LEVELS, { c: 1, restarts: false, horizon: 400, rho: 0 })
    for (const level of [0, 1, 0]) {
      const { id } = assessor.assess(Float64Array.of(0, 0), 'full')
      assessor.learn(id, { kind: 'label', level })
    }
    expect(assessor.guarantee().accuracy).toBeCloseTo(2 / 3, 12)
    assessor.learn(1, { kind: 'label', level: 0, correction: true })
    expect(assessor.guarantee()).toMatchObject({ accuracy: 1, rounds: 3 })
  })

  it('compares with the best expert of each batch: its monitor hears of restarts and of no correction', () => {
    const assessor = scriptedPbOel(2, LEVELS, { c: 1, horizon: 100, alpha: 0 })
    // ⌊100⁰⌋ + 1 = 2 rounds in a batch: each expert is right in one batch.
    for (const right of [0, 0, 1, 1]) {
      const { id } = assessor.assess(Float64Array.of(right === 0 ? 0 : 1, right === 0 ? 1 : 0), 'full')
      assessor.learn(id, { kind: 'label', level: 0 })
      if (id === 0) assessor.learn(id, { kind: 'label', level: 0, correction: true })
    }
    expect(assessor.restarts).toBe(2)
    expect(assessor.guarantee().ultimate).toBe(1)
  })

  it('charges a label for the exploration that its own sample was decided with', () => {
    const make = () => scriptedPbOel(2, LEVELS, { c: 1, restarts: false, horizon: 400, rho: 0 })
    const [promised, surprise] = [make(), make()]
    for (const [assessor, mode] of [
      [promised, 'full'],
      [surprise, 'unknown'],
    ] as const) {
      const { id } = assessor.assess(Float64Array.of(0, 0), mode)
      assessor.learn(id, { kind: 'label', level: 0 })
    }
    expect(surprise.guarantee().penalty - promised.guarantee().penalty).toBeCloseTo(promised.gamma, 12)
  })
})

describe('the guarantee', () => {
  it('says why it does not apply', () => {
    expect(new PbOel(TASK).guarantee()).toMatchObject({ applies: false, reason: 'no answer yet' })
    const late = new PbOel(TASK)
    late.learn(late.assess(new Float64Array(CHANNELS)).id, { kind: 'confirm' })
    expect(late.guarantee()).toMatchObject({ applies: true })
    for (let t = 0; t < 2; t++) late.assess(new Float64Array(CHANNELS))
    late.learn(1, { kind: 'confirm' })
    expect(late.guarantee().reason).toContain('1 answer came after a later assessment')
    late.learn(1, { kind: 'reject', correction: true })
    late.learn(2, { kind: 'confirm' })
    expect(late.guarantee().reason).toContain('1 answer came after a later assessment')
    const capped = new PbOel({ ...TASK, c: 10, horizon: 20 })
    play(capped, 20, 0)
    expect(capped.guarantee().reason).toContain('capped')
    const silent = new PbOel({ ...TASK, edition: 2 })
    for (const reason of [/^1 assessment was not answered/, /^2 assessments were not answered/]) {
      silent.assess(new Float64Array(CHANNELS))
      silent.learn(silent.assess(new Float64Array(CHANNELS)).id, { kind: 'confirm' })
      expect(silent.guarantee().reason).toMatch(reason)
    }
    const chosen = new PbOel(TASK)
    for (const reason of ['1 answer was to a sample chosen', '2 answers were to samples chosen']) {
      chosen.learn(chosen.assess(new Float64Array(CHANNELS)).id, { kind: 'confirm', asked: 0.5 })
      expect(chosen.guarantee().reason).toContain(reason)
    }
  })
})

describe('options', () => {
  const bad: [string, unknown][] = [
    ['channels', 0],
    ['channels', 1.5],
    ['levels', 1],
    ['levels', 256],
    ['seed', -1],
    ['experts', 0],
    ['c', 0],
    ['c', Number.NaN],
    ['alpha', 1.1],
    ['restarts', 'yes'],
    ['horizon', 0],
    ['horizon', 'long'],
    ['firstEpoch', 0],
    ['rho', -0.1],
    ['advice', 'loud'],
    ['action', 'guess'],
    ['confidence', 'none'],
    ['scaling', 'warm-up'],
    ['ridge', 0],
    ['forgetting', 0.1],
    ['buffer', 0],
    ['drift', 2],
    ['penalty', 1],
    ['pending', 0],
    ['arithmetic', 'fast'],
    ['warmUp', 3],
    ['warmUp[0].x', [{ level: 0 }]],
    ['warmUp[0].x', [{ x: [1], level: 0 }]],
    ['warmUp[0].x', [{ x: [1, 2, Number.NaN, 4], level: 0 }]],
    ['warmUp[0].level', [{ x: [1, 2, 3, 4], level: 9 }]],
    ['warmUp[0].level', [{ x: [1, 2, 3, 4], level: LEVELS }]],
    ['misspelt', 1],
  ]

  it.each(bad)('%s: %s is refused by name', (option, value) => {
    const name = option.split('[')[0]
    const error = catchError(() => new PbOel({ ...TASK, [name]: value } as PbOelOptions))
    expect(error).toBeInstanceOf(OptionError)
    expect(error).toMatchObject({ option })
    expect((error as Error).message).toContain(option)
  })

  it('accepts every valid combination', () => {
    const valid = fc.record({
      networks: fc.integer({ min: 1, max: 4 }),
      groups: fc.integer({ min: 1, max: 3 }),
      nodes: fc.integer({ min: 1, max: 6 }),
      c: fc.double({ min: 0.01, max: 10, noNaN: true }),
      alpha: fc.double({ min: 0, max: 1, noNaN: true }),
      restarts: fc.boolean(),
      horizon: fc.oneof(fc.constant('unbounded' as const), fc.integer({ min: 1, max: 1e6 })),
      rho: fc.oneof(fc.constant('observed' as const), fc.double({ min: 0, max: 1, noNaN: true })),
      advice: fc.constantFrom('hard' as const, 'soft' as const),
      action: fc.constantFrom('sample' as const, 'argmax' as const),
      confidence: fc.constantFrom('clip' as const, 'softmax' as const),
      scaling: fc.constantFrom('running' as const, 'none' as const),
      forgetting: fc.double({ min: 0.9, max: 1, noNaN: true }),
      ridge: fc.double({ min: 1e-3, max: 10, noNaN: true }),
      drift: fc.oneof(fc.constant(false as const), fc.double({ min: 1e-4, max: 0.1, noNaN: true })),
    })
    fc.assert(
      fc.property(valid, (options) => {
        const assessor = new PbOel({ channels: CHANNELS, levels: LEVELS, ...options })
        expect(play(assessor, 80, 0.3)).toBeGreaterThanOrEqual(0)
        expect(assessor.shares.every((share) => share > 0 && share <= 1)).toBe(true)
        expect(Number.isFinite(assessor.guarantee().value)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})

function catchError(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}
