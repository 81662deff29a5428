import { describe, expect, it } from 'vitest'
import { BoostingSums } from './boosting-sums.ts'

const POSITIVE = 1
const NEGATIVE = 0.1

describe('BoostingSums', () => {
  it('halves λ for a fresh member, whether right or wrong, whatever the cost', () => {
    const sums = new BoostingSums(3)
    sums.meet(0, 1)
    expect(sums.judge(0, 1, POSITIVE, true)).toBe(0.5)
    sums.meet(1, 0.5)
    expect(sums.judge(1, 0.5, POSITIVE, false)).toBe(0.25)
    sums.meet(2, 1)
    expect(sums.judge(2, 1, NEGATIVE, true)).toBe(0.5)
  })

  it('weighs costs inside the sums', () => {
    // λTP = 1, then a false positive of cost 0.1: right rate 1/2, wrong rate 0.1/2, λ = 0.1 / (2 · 0.05).
    const sums = new BoostingSums(1)
    sums.meet(0, 1)
    sums.judge(0, 1, POSITIVE, true)
    sums.meet(0, 1)
    expect(sums.judge(0, 1, NEGATIVE, false)).toBeCloseTo(1, 14)
    expect(sums.plainVote(0)).toBeCloseTo(Math.LN10, 12)
    expect(sums.vote(0)).toBeCloseTo(Math.LN10, 4)
  })

  it('counts a sample that was met but not learned', () => {
    const sums = new BoostingSums(1)
    sums.meet(0, 1)
    sums.meet(0, 1)
    // Right rate 1/2 instead of 1.
    expect(sums.judge(0, 1, POSITIVE, true)).toBe(1)
  })

  it('keeps λ between 1e-6 and 1000', () => {
    const sums = new BoostingSums(2)
    for (let i = 0; i < 1e5; i++) sums.meet(0, 1)
    expect(sums.judge(0, 1, POSITIVE, false)).toBe(1000)
    sums.meet(1, 1e-6)
    expect(sums.judge(1, 1e-6, NEGATIVE, true)).toBe(1e-6)
  })

  it('gives a perfect member a finite vote, a bad one none; scikit-multiflow the reverse', () => {
    const sums = new BoostingSums(2)
    sums.meet(0, 1)
    sums.judge(0, 1, POSITIVE, true)
    expect(sums.vote(0)).toBeCloseTo(6 * Math.log(10), 5)
    expect(sums.plainVote(0)).toBe(0)
    for (const correct of [true, false, false]) {
      sums.meet(1, 1)
      sums.judge(1, 1, POSITIVE, correct)
    }
    expect(sums.vote(1)).toBe(0)
    expect(sums.plainVote(1)).toBeCloseTo(-Math.log(2), 12)
    sums.clear(1)
    expect(sums.plainVote(1)).toBe(0)
  })
})
