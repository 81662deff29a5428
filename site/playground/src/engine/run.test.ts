import { openStream, runOnce } from '@pb-oel/lab'
import { describe, expect, it } from 'vitest'
import { DEFAULTS, type Reviewer } from '../settings/settings.ts'
import type { Job } from './job.ts'
import { openGenerator } from './open-generator.ts'
import { MOST_POINTS } from './point.ts'
import { Run } from './run.ts'

function job(address: string, name: string, reviewer: Partial<Reviewer> = {}): Job {
  return {
    stream: { kind: 'generator', address },
    method: { name, options: {} },
    seed: 3,
    reviewer: { ...DEFAULTS.reviewer, ...reviewer },
  }
}

/** Runs to the end, answering every question by `answer`. */
function finished(given: Job, address: string, answer: (run: Run) => void = () => {}): Run {
  const run = new Run(openGenerator(address), given)
  for (;;) {
    const step = run.step()
    if (step === 'done') return run
    if (step === 'asks') answer(run)
  }
}

describe('a run of the playground', () => {
  it.each([
    ['dive:samples=1500', 'pb-oel', {}],
    ['dive:samples=1500', 'pb-oel-plus', { rho: 0, delay: 20, law: 'heavy', missing: 0.2, wrong: 0.1 }],
    ['sea:samples=1500,seed=2', 'arf', { rho: 1 }],
    ['sea:samples=1500', 'flip', {}],
  ] as const)('has the figures of the lab: %s, %s, %o', async (address, name, reviewer) => {
    const given = job(address, name, reviewer)
    const figures = finished(given, address).figures(1)
    const { rho, delay, law, missing, wrong } = given.reviewer
    const people = { answers: { delay: { law, mean: delay }, missing, wrong } }
    const expected = await runOnce(openStream(address), { method: name, rho, seed: given.seed, people })
    const { accuracy, kappaTemporal, misses, falseAlarms, labels, drifts, answers } = expected
    expect(figures).toMatchObject({ accuracy, kappaTemporal, misses, falseAlarms, labels, drifts, answers })
  })

  it('has a point for every stretch, and all samples are in one of them', () => {
    const address = 'sea:samples=2001'
    const { points } = finished(job(address, 'majority'), address)
    expect(points.length).toBeLessThanOrEqual(MOST_POINTS)
    expect(points.at(-1)?.sample).toBe(2001)
    const widths = points.map(({ sample }, i) => sample - (points[i - 1]?.sample ?? 0))
    const wrong = points.reduce((sum, { misses, falseAlarms }, i) => sum + (misses + falseAlarms) * widths[i], 0)
    expect(1 - wrong / 2001).toBeCloseTo(points.at(-1)?.accuracy as number, 12)
  })

  it('asks about every n-th sample and learns what it is told, or nothing', () => {
    const address = 'sea:samples=1000'
    const asked: number[] = []
    const given = job(address, 'pb-oel', { by: 'me', every: 100, others: false })
    const run = finished(given, address, (asking) => {
      const { sample, recent, rows } = asking.question ?? { sample: 0, recent: [], rows: 0 }
      expect(recent.length).toBe(rows * 3)
      expect(rows).toBe(Math.min(sample, 240))
      asked.push(sample)
      asking.answer(asked.length % 2 === 0 ? undefined : { kind: 'label', level: 1 })
    })
    expect(asked).toEqual([100, 200, 300, 400, 500, 600, 700, 800, 900, 1000])
    expect(run.figures(1)).toMatchObject({ answers: 5, labels: 5 })
  })
})
