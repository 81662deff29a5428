import { describe, expect, it } from 'vitest'
import { StateReader, StateWriter } from '../state/state-io.ts'
import { batchRegret } from './bounds.ts'
import { GuaranteeMonitor } from './guarantee.ts'

const SETTING = { levels: 2, experts: 2 }

/** One round: expert 0 advises level 0 and expert 1 level 1, `truth` is the label. */
function round(monitor: GuaranteeMonitor, truth: number, { right = true, full = true, explored = 0 } = {}): void {
  monitor.countExplored(right, full, explored)
  monitor.reward(Float64Array.of(9, 9, 1, 0, 0, 1), 2, truth, 1)
}

const monitorOf = () => new GuaranteeMonitor(SETTING.experts, SETTING.levels)

describe('GuaranteeMonitor', () => {
  it('compares with the best expert of each batch, not of the whole', () => {
    const monitor = monitorOf()
    for (const truth of [0, 0, 1]) round(monitor, truth)
    monitor.endBatch(0.5)
    for (const truth of [1, 1, 1, 0]) round(monitor, truth, { right: false })
    const { ultimate, accuracy, regret, bestExpert, bestExpertAccuracy } = monitor.report(0.5)
    // Expert 0 was right twice in the first batch, expert 1 three times in the second.
    expect(ultimate).toBeCloseTo((2 + 3) / 7, 12)
    expect([bestExpert, bestExpertAccuracy]).toEqual([1, 4 / 7])
    expect(accuracy).toBeCloseTo(3 / 7, 12)
    expect(regret).toBeCloseTo(2 / 7, 12)
  })

  it('charges every batch what Theorem 1 allows it, closed or open, with its own rate and share of labels', () => {
    const monitor = monitorOf()
    for (let t = 0; t < 4; t++) round(monitor, 0, { full: t === 0 })
    monitor.endBatch(0.5)
    for (let t = 0; t < 6; t++) round(monitor, 0, { full: t < 3 })
    const closed = batchRegret({ ...SETTING, rho: 1 / 4 }, 0.5, 4)
    const open = batchRegret({ ...SETTING, rho: 3 / 6 }, 0.2, 6)
    const { penalty, value, ultimate } = monitor.report(0.2)
    expect(penalty).toBeCloseTo((closed + open) / 10, 12)
    expect(value).toBeCloseTo(ultimate - penalty, 12)
  })

  it('charges a batch that has just ended once, and an empty one nothing', () => {
    const monitor = monitorOf()
    expect(monitor.report(0.5)).toMatchObject({ penalty: 0, ultimate: 0, applies: false, reason: 'no answer yet' })
    for (let t = 0; t < 4; t++) round(monitor, 0)
    const open = monitor.report(0.5)
    monitor.endBatch(0.5)
    expect(monitor.report(0.1)).toEqual(open)
  })

  it('charges a labelled round for the exploration it was decided with, and no other round', () => {
    const [plain, explored, verdicts] = [monitorOf(), monitorOf(), monitorOf()]
    for (let t = 0; t < 5; t++) {
      round(plain, 0)
      round(explored, 0, { explored: 0.3 })
      round(verdicts, 0, { full: false, explored: 0.3 })
    }
    expect(explored.report(0.3).penalty - plain.report(0.3).penalty).toBeCloseTo(0.3, 12)
    expect(verdicts.report(0.3).penalty).toBeCloseTo(batchRegret({ ...SETTING, rho: 0 }, 0.3, 5) / 5, 12)
    explored.endBatch(0.3)
    expect(explored.report(0.3).penalty - plain.report(0.3).penalty).toBeCloseTo(0.3, 12)
  })

  it('takes a reward back, and recounts what was right', () => {
    const monitor = monitorOf()
    round(monitor, 0)
    round(monitor, 1, { right: false })
    monitor.reward(Float64Array.of(0, 1, 1, 0), 0, 1, -1)
    monitor.recount(false, true)
    expect(monitor.report(0.5)).toMatchObject({ accuracy: 1, rounds: 2, labelledRounds: 2, ultimate: 1 / 2 })
    monitor.recount(true, false)
    expect(monitor.report(0.5).accuracy).toBe(1 / 2)
  })

  it('goes on from its saved state', () => {
    const monitor = monitorOf()
    for (let t = 0; t < 5; t++) round(monitor, t % 2, { full: t < 3, explored: 0.1, right: t > 0 })
    monitor.endBatch(0.4)
    for (let t = 0; t < 3; t++) round(monitor, t % 2, { full: t < 2, explored: 0.1 })
    const writer = new StateWriter()
    monitor.transfer(writer)
    const copy = monitorOf()
    copy.transfer(new StateReader(writer.finish()))
    for (const one of [monitor, copy]) round(one, 1)
    expect(copy.report(0.2)).toEqual(monitor.report(0.2))
    copy.endBatch(0.2)
    monitor.endBatch(0.2)
    expect(copy.report(0.2)).toEqual(monitor.report(0.2))
  })

  it('names the assumption that does not hold', () => {
    const monitor = monitorOf()
    round(monitor, 0)
    expect(monitor.report(0.5)).toMatchObject({ applies: true })
    expect(monitor.report(0.5)).not.toHaveProperty('reason')
    expect(monitor.report(0.5, 'late')).toMatchObject({ applies: false, reason: 'late' })
  })
})
