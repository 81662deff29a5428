import { describe, expect, it } from 'vitest'
import { Asker } from '../asking/asker.ts'
import { type Assessment, copyAssessment, type Feedback } from '../assessor.ts'
import { CHANNELS, draw, LEVELS } from '../laws/task.ts'
import { Random } from '../math/random.ts'
import { createAssessor } from '../methods.ts'
import { StateReader, StateWriter } from '../state/state-io.ts'
import { answer } from '../testing/play.ts'
import { Promises, type PromisesOptions } from './promises.ts'

interface Truth {
  accuracy: number
  misses: number
  safeSideMisses: number
}

/** Runs a method beside its promises, with questions chosen by an asker. */
function run(method: string, promises: Promises, asker: Asker, samples: number, seed = 1): Truth {
  const assessor = createAssessor(method, { channels: CHANNELS, levels: LEVELS, seed })
  const random = new Random(seed, 'promises')
  const truth = { accuracy: 0, misses: 0, safeSideMisses: 0 }
  for (let t = 0; t < samples; t++) {
    const { x, level } = draw(random)
    const assessment = assessor.assess(x)
    const { id, level: assessed } = assessment
    const asked = asker.consider(assessment)
    const { safeSideLevel } = promises.open(assessment, { probability: asker.probability, asked: asked !== undefined })
    if (assessed === level) truth.accuracy += 1 / samples
    if (assessed < level) truth.misses += 1 / samples
    if (safeSideLevel < level) truth.safeSideMisses += 1 / samples
    if (!asked) continue
    const feedback: Feedback = { ...answer(false, assessed, level), asked: asked.probability }
    assessor.learn(id, feedback)
    promises.settle(id, feedback)
  }
  return truth
}

function assessment(level: number, probabilities = [0.2, 0.3, 0.5]): Assessment {
  return {
    id: 0,
    level,
    probabilities: Float64Array.from(probabilities),
    confidence: 0.9,
    experts: Int32Array.of(level),
    drifts: Uint8Array.of(0),
  }
}

describe('Promises', () => {
  it.each(['pb-oel-plus', 'arf', 'no-change', 'rvfl'])('hold beside %s, with chosen questions', (method) => {
    const asker = new Asker({ strategy: 'margin', perThousand: 200 })
    const promises = new Promises({ levels: LEVELS, floor: asker.leastProbability, missTarget: 0.05 })
    const truth = run(method, promises, asker, 4000)
    const report = promises.report()
    expect(report.accuracy.certified).toBeLessThanOrEqual(truth.accuracy)
    expect(report.accuracy.certified).toBeGreaterThan(truth.accuracy - 0.3)
    expect(1 - report.misses.certified).toBeGreaterThanOrEqual(truth.misses)
    expect(Math.abs(report.outcomes.accuracy - truth.accuracy)).toBeLessThan(0.1)
    expect(report.calibrationError).toBeLessThan(report.rawCalibrationError + 0.02)
    expect(truth.safeSideMisses).toBeLessThan(0.06 + 12 / (asker.leastProbability * 4000))
    expect(report.trained).toBe(true)
  })

  it('a system that has learned nothing says so', () => {
    const promises = new Promises({ levels: 3 })
    for (let t = 0; t < 5; t++) {
      expect(promises.open(assessment(0)).trained).toBe(false)
      promises.settle(t, { kind: 'confirm' })
    }
    expect(promises.open(assessment(0)).trained).toBe(true)
    const warm = new Promises({ levels: 3, warmUp: Array.from({ length: 5 }, () => ({ x: [0], level: 1 })) })
    expect(warm.report()).toMatchObject({ trained: true, answersPerLevel: [0, 5, 0] })
  })

  it('counts a "wrong" of unknown direction as a miss unless nothing is less safe', () => {
    const promises = new Promises({ levels: 3 })
    for (const level of [1, 2]) promises.open(assessment(level))
    for (const id of [0, 1]) promises.settle(id, { kind: 'reject' })
    expect(promises.report().misses.wrong).toBe(1)
    expect(promises.report().accuracy.wrong).toBe(2)
    expect(promises.outcomesOf(1)).toMatchObject({ wrong: 1, misses: 0 })
    expect(promises.outcomesOf(2)).toMatchObject({ wrong: 0, falseAlarms: 1 })
  })

  it('a correction leads where the right answer would have led, and the window follows', () => {
    const [direct, corrected] = [0, 1].map(() => new Promises({ levels: 3, window: 10 }))
    for (const promises of [direct, corrected]) for (let t = 0; t < 8; t++) promises.open(assessment(1))
    direct.settle(7, { kind: 'label', level: 2 })
    corrected.settle(7, { kind: 'confirm' })
    corrected.settle(7, { kind: 'label', level: 2, correction: true })
    const { accuracy, misses, windowAccuracy, outcomes } = direct.report()
    expect(corrected.report()).toMatchObject({ accuracy, misses, windowAccuracy, outcomes })
    // What the first answer taught stays, and nothing is taught twice.
    expect(corrected.report().answersPerLevel).toEqual([0, 1, 0])
  })

  it('windows of mistakes and of misses forget for themselves, and a late answer to an older sample changes neither', () => {
    const promises = new Promises({ levels: 3, window: 4 })
    for (let t = 0; t < 6; t++) {
      promises.open(assessment(1))
      // The first two are false alarms, the others misses.
      if (t > 0) promises.settle(t, { kind: 'label', level: t < 2 ? 0 : 2 })
    }
    const windows = { windowAccuracy: { samples: 4, wrong: 4 }, windowMisses: { samples: 4, wrong: 4 } }
    expect(promises.report()).toMatchObject({ accuracy: { wrong: 6 }, misses: { wrong: 5 }, ...windows })
    promises.settle(0, { kind: 'label', level: 0 })
    expect(promises.report()).toMatchObject({ accuracy: { wrong: 6 }, misses: { wrong: 4 }, ...windows })
  })

  it('weighs figures and reliability by 1/π, and shows the errors of raw and of recalibrated confidence', () => {
    const promises = new Promises({ levels: 3, floor: 0.25 })
    const shown = [0.5, 0.25, 1].map((probability, t) => {
      const { confidence } = promises.open(assessment(1), { probability, asked: true })
      promises.settle(t, { kind: 'label', level: t === 2 ? 1 : 2 })
      return confidence
    })
    const { outcomes, reliability, rawCalibrationError, calibrationError } = promises.report()
    expect(outcomes).toEqual({ weight: 7, accuracy: 1 / 7, misses: 6 / 7, falseAlarms: 0, wrong: 0 })
    expect(reliability.reduce((sum, { weight }) => sum + weight, 0)).toBe(7)
    expect(rawCalibrationError).toBeCloseTo(0.9 - 1 / 7, 12)
    // By hand, each answer weighing floor/π in units of 5 for the raw value: 0.9, then 4.5/5.5, then 4.5/6.4995.
    expect(shown[0]).toBeCloseTo(0.9, 12)
    expect(shown[1]).toBeCloseTo(4.5 / 5.5, 12)
    expect(shown[2]).toBeCloseTo(4.5 / (5 + 0.5 * 0.999 + 1), 12)
    // Three bins: the first two samples are wrong, the last is right.
    expect(calibrationError).toBeCloseTo((2 * shown[0] + 4 * shown[1] + 1 - shown[2]) / 7, 12)
  })

  it('leads the safe-side level by its target and its floor', () => {
    // ln θ begins at ln 0.05 and rises by missTarget · floor/π with each answer that is no miss.
    const level = (options: object, probability: number, probabilities: number[]) => {
      const promises = new Promises({ levels: 2, ...options })
      for (let t = 0; t < 10; t++) {
        promises.open(assessment(0, [1, 0]), { probability, asked: true })
        promises.settle(t, { kind: 'confirm' })
      }
      return promises.open(assessment(0, probabilities)).safeSideLevel
    }
    // 0.05 · e^2 = 0.37, 0.05 · e = 0.14.
    expect(level({ missTarget: 0.2 }, 1, [0.65, 0.35])).toBe(0)
    expect(level({ missTarget: 0.2 }, 1, [0.61, 0.39])).toBe(1)
    expect(level({ missTarget: 0.2, floor: 0.5 }, 1, [0.88, 0.12])).toBe(0)
    expect(level({ missTarget: 0.2, floor: 0.5 }, 1, [0.85, 0.15])).toBe(1)
    // A coin below the floor counts as the floor.
    expect(level({ missTarget: 0.2, floor: 0.5 }, 0.1, [0.65, 0.35])).toBe(0)
    expect(level({ missTarget: 0.2, floor: 0.5 }, 0.1, [0.61, 0.39])).toBe(1)
    const rare = new Promises({ levels: 2, floor: 0.5 })
    rare.open(assessment(0), { probability: 0.1, asked: true })
    rare.settle(0, { kind: 'reject' })
    expect(rare.open(assessment(0)).confidence).toBeCloseTo(4.5 / 6, 12)
  })

  it('an answer that nobody asked for certifies nothing', () => {
    const promises = new Promises({ levels: 2, floor: 0.1 })
    for (let t = 0; t < 50; t++) {
      promises.open(assessment(0, [1, 0]), { probability: 0.1, asked: false })
      promises.settle(t, { kind: 'confirm' })
    }
    expect(promises.report().accuracy.checks).toBe(0)
    expect(promises.report().accuracy.certified).toBeLessThan(0.2)
    expect(promises.report().trained).toBe(true)
    expect(promises.open(assessment(0, [1, 0])).confidence).toBe(0.9)
    promises.withdraw(49)
    expect(promises.report()).toMatchObject({ accuracy: { estimate: 0 }, outcomes: { weight: 0 } })
  })

  it('begins certificates and alarm anew where an option changes that they are proved for, and only there', () => {
    const promises = new Promises({ levels: 2, window: 10 })
    promises.open(assessment(0, [1, 0]))
    const since = (options: PromisesOptions) => promises.changed(options).report().since
    const rules = { floor: 0.5, window: 12, target: 0.9, reference: 200, tolerance: 3, falseAlarmEvery: 100, block: 9 }
    for (const [rule, value] of Object.entries({ ...rules, wrong: 0.1, wrongAtMost: 0.1 })) {
      expect(since({ levels: 2, window: 10, [rule]: value }), rule).toBe(1)
    }
    expect(since({ levels: 2, window: 10, confidence: 0.9, missTarget: 0.1 })).toBe(0)
  })

  it('after a change the alarm and the certificates do what new ones do, also from a saved state', () => {
    const options: PromisesOptions = { levels: 2, target: 0.9, block: 5, falseAlarmEvery: 100, window: 20 }
    const former = new Promises({ levels: 2 })
    for (let t = 0; t < 7; t++) former.open(assessment(0, [1, 0]))
    const changed = former.changed(options)
    const restored = new Promises(options)
    const fresh = new Promises(options)
    let raised = 0
    for (let t = 0; t < 60; t++) {
      if (t === 30) restored.restore(changed.snapshot())
      const systems = t < 30 ? [changed] : [changed, restored]
      const { fell } = fresh.open(assessment(0, [1, 0]))
      const opened = systems.map((one) => one.open(assessment(0, [1, 0])))
      for (const one of opened) expect(one).toEqual({ ...opened[0], fell })
      const feedback: Feedback = t < 9 || t > 30 ? { kind: 'reject' } : { kind: 'confirm' }
      const fall = fresh.settle(t, feedback)
      if (fall) raised++
      for (const one of systems) expect(one.settle(7 + t, feedback)).toBe(fall)
    }
    expect(raised).toBeGreaterThan(1)
    const { accuracy, windowAccuracy, misses, windowMisses, falls, keptAccuracy } = fresh.report()
    const same = { accuracy, windowAccuracy, misses, windowMisses, falls, keptAccuracy, since: 7 }
    for (const one of [changed, restored]) expect(one.report()).toMatchObject(same)
  })

  it('an answer that is waited for holds the alarm up for `pending` samples, no longer', () => {
    const promises = new Promises({ levels: 2, target: 0.9, block: 1, pending: 4 })
    let fell = false
    for (let t = 0; t < 30 && !fell; t++) {
      fell = promises.open(assessment(0, [1, 0])).fell
      if (t > 0) fell = promises.settle(t, { kind: 'reject' }) || fell
      if (t < 4) expect(fell).toBe(false)
    }
    expect(fell).toBe(true)
  })

  it('goes on with other options: what was learned stays, certificates begin anew where their rule changed', () => {
    const promises = new Promises({ levels: 3, window: 10 })
    for (let t = 0; t < 20; t++) {
      promises.open(assessment(1))
      if (t < 19) promises.settle(t, t < 15 ? { kind: 'confirm' } : { kind: 'reject' })
    }
    const same = promises.changed({ levels: 3, window: 10, confidence: 0.99 })
    expect(same.report()).toMatchObject({ since: 0, accuracy: { samples: 20, confidence: 0.99 } })
    const other = promises.changed({ levels: 3, window: 10, floor: 0.1 })
    const { outcomes, answersPerLevel } = promises.report()
    expect(other.report()).toMatchObject({ since: 20, trained: true, outcomes, answersPerLevel })
    expect(other.report()).toMatchObject({ accuracy: { samples: 0 }, windowAccuracy: { samples: 0 }, falls: 0 })
    // An answer to a sample from before teaches, and certifies nothing of what came after.
    other.settle(19, { kind: 'confirm' })
    expect(other.report()).toMatchObject({ accuracy: { samples: 0, checks: 0 }, outcomes: { weight: 20 } })
    for (let t = 0; t < 8; t++) other.open(assessment(1), { probability: 0.1, asked: t === 3 })
    other.settle(23, { kind: 'confirm' })
    expect(other.report()).toMatchObject({
      accuracy: { samples: 8, checks: 1, wrong: 0 },
      windowAccuracy: { samples: 8, checks: 1, wrong: 0 },
    })
  })

  it('certifies with another confidence, and says how many more checks a target needs', () => {
    const promises = new Promises({ levels: 2, floor: 0.1 })
    for (let t = 0; t < 5000; t++) {
      promises.open(assessment(0, [1, 0]), { probability: 0.1, asked: t % 10 === 0 })
      if (t % 10 === 0) promises.settle(t, { kind: 'confirm' })
    }
    const usual = promises.certify()
    expect(usual).toEqual({ samples: 5000, checks: 500, wrong: 0, confidence: 0.95, certified: usual.certified })
    expect(promises.report().misses.wrong).toBe(0)
    const surer = promises.certify({ confidence: 0.999, target: 0.999 })
    expect(surer.certified).toBeLessThan(usual.certified)
    expect(surer.moreChecks).toBeGreaterThan(promises.certify({ target: 0.999 }).moreChecks as number)
  })

  it('raises an alarm when accuracy falls', () => {
    const promises = new Promises({ levels: 2, target: 0.95 })
    let raised = -1
    for (let t = 0; t < 2000 && raised < 0; t++) {
      promises.open(assessment(0, [1, 0]))
      if (promises.settle(t, t > 1000 && t % 3 === 0 ? { kind: 'reject' } : { kind: 'confirm' })) raised = t
    }
    expect(raised).toBeGreaterThan(1000)
    expect(raised).toBeLessThan(1600)
    expect(promises.report().falls).toBe(1)
  })

  it('goes on from a saved state with the same bits', () => {
    const options: PromisesOptions = { levels: LEVELS, floor: 0.04, window: 100, target: 0.8, pending: 64 }
    const one = new Promises(options)
    run('no-change', one, new Asker({ perThousand: 200 }), 500)
    const save = (promises: Promises) => {
      const writer = new StateWriter()
      promises.transfer(writer)
      return writer.finish()
    }
    const two = new Promises(options)
    two.transfer(new StateReader(save(one)))
    const sample = copyAssessment(assessment(1))
    for (let t = 0; t < 30; t++) {
      expect(two.open(sample)).toEqual(one.open(sample))
      for (const promises of [one, two])
        promises.settle(500 + t, t % 4 === 0 ? { kind: 'reject' } : { kind: 'confirm' })
    }
    expect(save(two)).toEqual(save(one))
    expect(two.report()).toEqual(one.report())
  })
})
