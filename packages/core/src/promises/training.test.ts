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
})
