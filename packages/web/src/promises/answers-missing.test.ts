import { describe, expect, it } from 'vitest'
import { answersMissing } from './answers-missing.ts'

const missing = (...answersPerLevel: number[]) => answersMissing({ answersPerLevel, answersNeeded: 5 })

describe('answers that an untrained system needs', () => {
  it('counts for each level that was told, and for no other', () => {
    expect(missing(2, 0, 4, 7)).toEqual([
      { level: 0, answers: 3 },
      { level: 2, answers: 1 },
    ])
  })

  it('names no level before the first was told', () => {
    expect(missing(0, 0, 0)).toEqual([])
  })
})
