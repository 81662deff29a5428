import { describe, expect, it } from 'vitest'
import type { RegretWithConfidence } from '../assessor.ts'
import { FeedbackModel } from '../feedback/feedback-model.ts'
import { PbOelPlus } from '../pb-oel-plus/pb-oel-plus.ts'
import { dive } from '../streams/dive.ts'

/** What each look at a run saw: the bound, and the true regret per sample since the latest refit. */
interface Look {
  bound: RegretWithConfidence
  samples: number
  regret: number
}

/** Follows a dive whose answers come `delay` samples late, and looks at the bound every ten samples. */
function follow(delay: number): { looks: Look[]; refits: number; restored: boolean } {
  const stream = dive({ samples: 1500 })
  let assessor = new PbOelPlus({ channels: 24, levels: 3, seed: 2, regretWindow: 200 })
  const reviewers = new FeedbackModel({ levels: 3, delay, seed: 2 })
  const looks: Look[] = []
  let [refits, samples, wrong, restored] = [0, 0, 0, true]
  let lost: number[] = []
  for (const { x, level: truth } of stream) {
    const assessment = assessor.assess(x, 'partial')
    if (assessment.drifts.includes(1)) {
      refits++
      ;[samples, wrong, lost] = [0, 0, []]
    }
    samples++
    if (assessment.level !== truth) wrong++
    lost = Array.from(assessment.experts, (level, n) => (lost[n] ?? 0) + (level === truth ? 0 : 1))
    reviewers.ask(assessment, truth, 'verdict')
    for (const { id, feedback } of reviewers.arrived()) assessor.learn(id, feedback)
    if (assessment.id % 10 === 9) {
      const bound = assessor.guarantee().regretWithConfidence as RegretWithConfidence
      looks.push({ bound, samples, regret: (wrong - Math.min(...lost)) / samples })
    }
    if (assessment.id === 700) {
      const before = assessor.guarantee()
      assessor = PbOelPlus.restore(assessor.snapshot())
      restored = JSON.stringify(assessor.guarantee()) === JSON.stringify(before)
    }
  }
  return { looks, refits, restored }
}

describe('the regret since the latest refit', () => {
  it.each([0, 40])('is bounded for the samples since then, answers %i late', (delay) => {
    const { looks, refits, restored } = follow(delay)
    expect(refits).toBeGreaterThan(1)
    expect(restored).toBe(true)
    for (const { bound, samples, regret } of looks) {
      if (!bound.sinceRefit) continue
      expect(bound.sinceRefit.samples).toBe(samples)
      expect(bound.sinceRefit.value).toBeGreaterThanOrEqual(regret - 1e-12)
      // An answer to a sample from before the refit would take away what was never open since.
      expect(bound.sinceRefit.terms.open).toBeGreaterThanOrEqual(0)
    }
    expect(looks.at(-1)?.bound.sinceRefit?.refits).toBe(refits)
    expect(looks[0].bound.sinceRefit).toBeUndefined()
  })
})
