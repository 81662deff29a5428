import { describe, expect, it } from 'vitest'
import { ANSWERS_PER_LEVEL, Training } from './training.ts'

describe('Training', () => {
  it('ends when every level that was told has been told five times, and never begins again', () => {
    const training = new Training(3)
    expect(training.trained).toBe(false)
    training.told(1)
    for (let i = 0; i < ANSWERS_PER_LEVEL; i++) {
      expect(training.trained).toBe(false)
      training.told(0)
    }
    expect(training.trained).toBe(false)
    for (let i = 1; i < ANSWERS_PER_LEVEL; i++) training.told(1)
    expect(training.trained).toBe(true)
    training.told(2)
    expect(training.trained).toBe(true)
    expect(training.answers).toEqual([5, 5, 1])
  })

  it('says how many answers are missing at least', () => {
    const training = new Training(3)
    expect(training.missing).toBe(5)
    training.told(1)
    expect(training.missing).toBe(4)
    training.told(2)
    expect(training.missing).toBe(8)
    for (let i = 0; i < 4; i++) for (const level of [1, 2]) training.told(level)
    expect(training.missing).toBe(0)
    training.told(0)
    expect(training.missing).toBe(0)
  })
})
