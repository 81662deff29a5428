import { describe, expect, it } from 'vitest'
import type { Feedback } from './assessor.ts'
import { FeedbackError, RepeatedFeedbackError, SampleError, UnknownAssessmentError } from './errors.ts'
import { checkFeedback, checkMode, checkSample, isReading, PendingAssessments } from './pending.ts'
import { StateReader, StateWriter } from './state/state-io.ts'

const CONFIRM: Feedback = { kind: 'confirm' }

/** Five assessments in a ring of three: 2, 3 and 4 are kept. */
function ring(): PendingAssessments {
  const pending = new PendingAssessments(3, 2)
  for (let i = 0; i < 5; i++) pending.data.fill(10 * i, pending.offset(pending.open()), pending.offset(i) + 2)
  return pending
}

describe('PendingAssessments', () => {
  it('takes answers for the latest ones only, never for one whose slot was overwritten', () => {
    const pending = ring()
    expect([2, 3, 4].map((id) => pending.check(id, CONFIRM))).toEqual([false, false, false])
    expect([2, 3, 4].map((id) => pending.data[pending.offset(id)])).toEqual([20, 30, 40])
    expect(() => pending.check(1, CONFIRM)).toThrow('no longer kept; only the latest 3 are')
    for (const id of [5, -1, 2.5]) expect(() => pending.check(id, CONFIRM)).toThrow('never made')
    for (const id of [1, 5]) expect(() => pending.check(id, CONFIRM)).toThrow(UnknownAssessmentError)
  })

  it('takes a second answer only as a correction, also of the newest and the oldest', () => {
    const pending = ring()
    for (const id of [2, 4]) {
      expect(pending.isOpen(id)).toBe(true)
      pending.close(id)
      expect(pending.isOpen(id)).toBe(false)
      expect(() => pending.check(id, CONFIRM)).toThrow(RepeatedFeedbackError)
      expect(pending.check(id, { ...CONFIRM, correction: true })).toBe(true)
    }
    expect(pending.check(3, { ...CONFIRM, correction: true })).toBe(false)
    // A new assessment takes over the slot of 2, which was answered.
    expect(pending.open()).toBe(5)
    expect([pending.count, pending.isOpen(5)]).toEqual([6, true])
  })

  it.each([2, 5])('goes on from its saved state after %i assessments', (count) => {
    const pending = new PendingAssessments(3, 2)
    for (let i = 0; i < count; i++) pending.data.fill(i, pending.offset(pending.open()), pending.offset(i) + 2)
    pending.close(count - 1)
    const writer = new StateWriter()
    pending.transfer(writer)
    const copy = new PendingAssessments(3, 2)
    copy.transfer(new StateReader(writer.finish()))
    expect([copy.count, copy.isOpen(count - 1), copy.isOpen(count - 2)]).toEqual([count, false, true])
    expect(copy.data).toEqual(pending.data)
  })
})

describe('what comes in is checked', () => {
  it('a channel is a number of at most 1e100', () => {
    expect([0, -0, 1e100, -1e100].map(isReading)).toEqual([true, true, true, true])
    expect([1.1e100, Number.NaN, Infinity, '1', null, undefined].map(isReading)).toEqual(Array(6).fill(false))
  })

  it('a sample has one number for each channel', () => {
    expect(() => checkSample(Float64Array.of(1, 2), 2)).not.toThrow()
    expect(() => checkSample(Float64Array.of(1, 2, 3), 2)).toThrow('expected a Float64Array of 2 channels, got 3')
    expect(() => checkSample([1, 2] as never, 2)).toThrow('got something else')
    expect(() => checkSample(Float64Array.of(1, Number.NaN), 2)).toThrow('channel 1 is NaN')
    expect(() => checkSample(Float64Array.of(1), 2)).toThrow(SampleError)
  })

  it('an answer is well formed', () => {
    for (const mode of ['full', 'partial', 'unknown'] as const) expect(() => checkMode(mode)).not.toThrow()
    expect(() => checkMode('half' as never)).toThrow('full, partial or unknown')
    for (const level of [0, 2]) expect(() => checkFeedback({ kind: 'label', level }, 3)).not.toThrow()
    for (const level of [-1, 3, 0.5]) expect(() => checkFeedback({ kind: 'label', level }, 3)).toThrow('[0, 2]')
    for (const asked of [0.001, 1]) expect(() => checkFeedback({ ...CONFIRM, asked }, 3)).not.toThrow()
    for (const asked of [0, -1, 1.1, '1' as never])
      expect(() => checkFeedback({ ...CONFIRM, asked }, 3)).toThrow('(0, 1]')
    for (const bad of [undefined, { kind: 'maybe' }])
      expect(() => checkFeedback(bad as never, 3)).toThrow(FeedbackError)
    expect(() => checkFeedback({ kind: 'reject' }, 3)).not.toThrow()
  })
})
