import { PbOel, Random } from '@pb-oel/core'
import { expect, it } from 'vitest'
import { usedHeap } from './support/used-heap.ts'

/** PB_OEL_SOAK=1 asks for a million. */
const SAMPLES = process.env.PB_OEL_SOAK ? 1_000_000 : 200_000

/**
 * Samples of a hard stream (two channels that are nearly copies, one constant, one of size 1e6, meanings
 * that change), with answers that come late, out of order or never.
 */
it('stays finite and of constant size with late and missing feedback', () => {
  const assessor = new PbOel({ channels: 5, levels: 3, networks: 3, seed: 1, pending: 256 })
  const random = new Random(1, 'endurance')
  const x = new Float64Array(5)
  const waiting: { id: number; level: number; truth: number }[] = []
  const sizes: number[] = []
  const heap: number[] = []
  let right = 0
  for (let t = 0; t < SAMPLES; t++) {
    const truth = random.integer(3)
    const meaning = (truth + Math.floor((5 * t) / SAMPLES)) % 3
    x[0] = meaning + 0.5 * random.normal()
    x[1] = x[0] + 1e-9 * random.normal()
    x[2] = 7
    x[3] = 1e6 * random.normal()
    x[4] = random.normal()
    const assessment = assessor.assess(x)
    if (assessment.level === truth) right++
    if (!(assessment.confidence >= 0 && assessment.confidence <= 1))
      throw new Error(`confidence ${assessment.confidence}`)
    const fate = random.uniform()
    if (fate < 0.7) answer(assessment.id, assessment.level, truth)
    else if (fate < 0.9) waiting.push({ id: assessment.id, level: assessment.level, truth })
    if (waiting.length > 40) {
      const [{ id, level, truth }] = waiting.splice(random.integer(waiting.length), 1)
      if (id > assessment.id - 256) answer(id, level, truth)
    }
    if ((4 * (t + 1)) % SAMPLES === 0) {
      sizes.push(assessor.snapshot().length)
      heap.push(usedHeap())
    }
  }
  expect(new Set(sizes).size).toBe(1)
  // One number that is not finite in the state would spoil the probabilities, weights and guarantee that follow from
  // it.
  expect([...assessor.shares].every((share) => share > 0 && share < 1)).toBe(true)
  expect(
    Object.values(assessor.guarantee())
      .filter((v) => typeof v === 'number')
      .every(Number.isFinite),
  ).toBe(true)
  expect(right / SAMPLES).toBeGreaterThan(0.5)
  // A number kept of each sample would be 1.2 MB.
  expect(heap[3] - heap[0]).toBeLessThan(600e3)

  function answer(id: number, level: number, truth: number): void {
    if (random.uniform() < 0.05) assessor.learn(id, { kind: 'label', level: truth })
    else assessor.learn(id, level === truth ? { kind: 'confirm' } : { kind: 'reject' })
  }
})
