import { type Assessor, PbOel, PbOelPlus, Random } from '@pb-oel/core'
import { NoChange } from '@pb-oel/core/rivals'
import { describe, expect, it } from 'vitest'
import { type Audit, auditOf } from './audit.ts'

const TASK = { channels: 4, levels: 3, networks: 4, groups: 2, nodes: 4 }

/** Plays rounds of a noisy task with three overlapping levels, every answer a label or none. */
function play(assessor: Assessor, audit: Audit, rounds: number, seed: number, full: boolean): void {
  const random = new Random(seed, 'truth')
  for (let t = 0; t < rounds; t++) {
    const truth = random.integer(3)
    const x = Float64Array.from({ length: 4 }, (_, i) => (i === truth ? 1.5 : 0) + random.normal())
    const { id, level } = assessor.assess(x, full ? 'full' : 'partial')
    audit.record(level === truth, truth, full)
    if (full) assessor.learn(id, { kind: 'label', level: truth })
    else assessor.learn(id, { kind: level === truth ? 'confirm' : 'reject' })
  }
}

describe('an audit of PB-OEL', () => {
  it('finds the exact rewards of the experts, as the guarantee does when every label is given', () => {
    const assessor = new PbOel({ ...TASK, horizon: 500, rho: 1 })
    const audit = auditOf(assessor) as Audit
    play(assessor, audit, 500, 5, true)
    const live = assessor.guarantee()
    expect(live).toEqual(audit.report())
    expect(live.applies).toBe(true)
    expect(live.labelledRounds).toBe(500)
    expect(live.regret).toBeCloseTo(live.ultimate - live.accuracy, 12)
    expect(live.ultimate).toBeGreaterThanOrEqual(live.bestExpertAccuracy)
    expect(live.accuracy).toBeGreaterThan(live.value)
  })

  it('agrees on average with the estimates when only right or wrong is known', () => {
    let estimated = 0
    let exact = 0
    for (let seed = 0; seed < 40; seed++) {
      const assessor = new PbOel({ ...TASK, seed, c: 1, horizon: 300, rho: 0, restarts: false })
      const audit = auditOf(assessor) as Audit
      play(assessor, audit, 300, seed, false)
      // The best expert is picked by noisy estimates, so compare with a margin for that selection.
      estimated += assessor.guarantee().ultimate / 40
      exact += audit.report().ultimate / 40
    }
    expect(Math.abs(estimated - exact)).toBeLessThan(0.03)
  })
})

describe('an audit of PB-OEL+', () => {
  it('is what the guarantee says when every label is given, and its terms make up the penalty', () => {
    const assessor = new PbOelPlus(TASK)
    const audit = auditOf(assessor) as Audit
    play(assessor, audit, 500, 5, true)
    const live = assessor.guarantee()
    expect(live).toEqual(audit.report())
    expect(live).toMatchObject({ applies: true, labelledRounds: 500 })
    const { against, inFavour, open, chance } = live.terms as Record<string, number>
    expect(against + inFavour + open + chance).toBeCloseTo(live.penalty, 12)
    expect(live.penalty).toBe(live.regretWithConfidence?.value)
    // With every label known the bound is the regret itself.
    expect(live.penalty).toBeCloseTo(live.regret, 12)
    expect(live.value).toBeCloseTo(live.accuracy, 12)
  })

  it('where the level is drawn, the terms of Theorem 2 make up the penalty', () => {
    const assessor = new PbOelPlus({ ...TASK, decision: 'draw', lambda: 'leader' })
    const audit = auditOf(assessor) as Audit
    play(assessor, audit, 500, 5, true)
    const live = assessor.guarantee()
    expect(live).toEqual(audit.report())
    expect(live).toMatchObject({ applies: true, labelledRounds: 500 })
    const { learning, sharing, spread, bias } = live.terms as Record<string, number>
    expect(learning + sharing + spread + bias).toBeCloseTo(live.penalty, 12)
    expect(live.value).toBeCloseTo(live.ultimate - live.penalty, 12)
    expect(live.ultimate).toBe(live.bestExpertAccuracy)
    expect(live.penalty).toBeGreaterThan(0)
  })

  it.each([0, 0.005])('holds on average under right-or-wrong answers, implicit exploration %s', (implicit) => {
    let margin = 0
    let estimated = 0
    let exact = 0
    for (let seed = 0; seed < 40; seed++) {
      const assessor = new PbOelPlus({ ...TASK, seed, implicit, decision: 'draw', lambda: 'leader' })
      const audit = auditOf(assessor) as Audit
      play(assessor, audit, 400, seed, false)
      const report = audit.report()
      margin += (report.accuracy - report.value) / 40
      exact += report.accuracy / 40
      estimated += assessor.guarantee().accuracy / 40
    }
    expect(margin).toBeGreaterThan(0)
    expect(estimated).toBeCloseTo(exact, 12)
  })
})

it('there is nothing to audit where nothing is promised', () => {
  expect(auditOf(new NoChange({ channels: 1, levels: 2 }))).toBeUndefined()
})
