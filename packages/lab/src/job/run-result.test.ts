import type { Assessment, Guarantee } from '@pb-oel/core'
import { describe, expect, it } from 'vitest'
import { RunFigures } from './run-result.ts'

/** True and assessed level. */
const SEEN: [truth: number, level: number][] = [
  [0, 0],
  [0, 1],
  [1, 1],
  [1, 0],
  [2, 2],
  [2, 2],
  [2, 1],
]
const OPTIONS = { levels: 3, costs: undefined, escalateAbove: undefined, countAnswers: false }

function figuresOf(options: Partial<ConstructorParameters<typeof RunFigures>[0]> = {}) {
  const figures = new RunFigures({ ...OPTIONS, ...options })
  SEEN.forEach(([truth, level], t) => {
    // The experts disagree by 0.4 about the first three, by 0.1 about the others.
    const probabilities = t < 3 ? Float64Array.of(0.6, 0.4, 0) : Float64Array.of(0.9, 0.1, 0)
    const drifts = Uint8Array.of(t === 1 ? 1 : 0, t === 1 || t === 4 ? 1 : 0, t === 4 ? 1 : 0)
    figures.assessed(truth, { level, probabilities, drifts } as unknown as Assessment)
  })
  for (const kind of ['label', 'confirm', 'reject', 'label'] as const) figures.answered({ kind, level: 0 })
  return figures
}

describe('the figures of a run', () => {
  it('are those of the confusion of levels, each by its name', () => {
    const figures = figuresOf()
    const result = figures.result(5, undefined, 0.5)
    // Rows 1 1 0, 1 1 0, 0 1 2: F1 is 0.5, 0.4 and 0.8; κ = (28 − 16) / (49 − 16).
    expect(result).toMatchObject({ seed: 5, misses: 2, falseAlarms: 1, labels: 2, drifts: 4, samplesPerSecond: 14 })
    expect(result.accuracy).toBeCloseTo(4 / 7, 12)
    expect(result.macroF1).toBeCloseTo(1.7 / 3, 12)
    expect(result.kappa).toBeCloseTo(12 / 33, 12)
    expect(result.gMean).toBeCloseTo((1 / 6) ** (1 / 3), 12)
    // The level before is the true one in five of seven; before the first one it is 0.
    expect(result.noChange).toBeCloseTo(5 / 7, 12)
    expect(result.kappaTemporal).toBe(figures.metrics.kappaTemporal)
    expect(result.kappaTemporal).toBeLessThan(0)
    for (const name of ['answers', 'cost', 'escalated', 'accuracyKept', 'adaptation']) {
      expect(result).not.toHaveProperty(name)
    }
    expect(result.bound).toMatchObject({ applies: false, value: null })
  })

  it('have costs by truth and assessment, answers, and what was passed on, where that is asked for', () => {
    const costs = [
      [0, 1, 2],
      [4, 0, 3],
      [9, 5, 0],
    ]
    const result = figuresOf({ costs, countAnswers: true, escalateAbove: 0.2 }).result(1, undefined, 1)
    expect(result.cost).toBeCloseTo((1 + 4 + 5) / 7, 12)
    expect(result.answers).toBe(4)
    expect(result.escalated).toBeCloseTo(3 / 7, 12)
    // Two of the last four are right.
    expect(result.accuracyKept).toBeCloseTo(0.5, 12)
  })

  it('have each part of a guarantee in its place', () => {
    const guarantee = { applies: false, reason: 'r', value: 0.1, ultimate: 0.2, regret: 0.3, bestExpertAccuracy: 0.4 }
    const terms = { a: 1 }
    expect(figuresOf().result(1, { ...guarantee, terms } as unknown as Guarantee, 1).bound).toEqual({
      ...{ applies: false, reason: 'r', value: 0.1, ultimate: 0.2, regret: 0.3, bestExpert: 0.4, terms },
    })
  })
})
