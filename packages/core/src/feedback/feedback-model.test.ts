import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OptionError } from '../errors.ts'
import { Random } from '../math/random.ts'
import { Delay, type DelayOptions } from './delay.ts'
import { FeedbackModel, type FeedbackModelOptions } from './feedback-model.ts'

/** Asks about `count` assessments of level 1, one a sample, and returns when which answer arrived. */
function run(options: Partial<FeedbackModelOptions>, count = 4000, truth = 1, kind: 'verdict' | 'label' = 'verdict') {
  const people = new FeedbackModel({ levels: 3, ...options })
  const arrived: { id: number; time: number; feedback: { kind: string; level?: number; asked?: number } }[] = []
  for (let time = 0; time < count + 1500; time++) {
    if (time < count) people.ask({ id: time, level: 1, confidence: (time % 10) / 10 }, truth, kind)
    for (const answer of people.arrived()) arrived.push({ ...answer, time })
  }
  return arrived
}

describe('FeedbackModel', () => {
  it('answers everything at once and rightly unless told otherwise', () => {
    const answers = run({}, 50)
    expect(answers.map(({ id, time }) => id - time)).toEqual(new Array(50).fill(0))
    expect(answers.every(({ feedback }) => feedback.kind === 'confirm')).toBe(true)
    expect(run({}, 10, 2).every(({ feedback }) => feedback.kind === 'reject')).toBe(true)
    expect(run({}, 10, 2, 'label').map(({ feedback }) => feedback.level)).toEqual(new Array(10).fill(2))
  })

  it('promises labels for a share ρ, as the expert of the paper’s experiments', () => {
    const people = new FeedbackModel({ levels: 3, rho: 0.3, seed: 7 })
    const random = new Random(7, 'feedback')
    for (let t = 0; t < 200; t++) expect(people.mode()).toBe(random.uniform() < 0.3 ? 'full' : 'partial')
  })

  it('draws each habit by itself: labels come as late as verdicts', () => {
    const people = new FeedbackModel({ levels: 3, rho: 0.5, delay: { law: 'uniform', mean: 10 } })
    const late: Record<string, number[]> = { label: [], confirm: [] }
    for (let time = 0; time < 2000; time++) {
      const kind = people.mode() === 'full' ? 'label' : 'verdict'
      people.ask({ id: time, level: 1, confidence: 1 }, 1, kind)
      for (const { id, feedback } of people.arrived()) late[feedback.kind].push(time - id)
    }
    const mean = (delays: number[]) => delays.reduce((a, b) => a + b) / delays.length
    // Four standard errors of the difference, each mean being that of some thousand uniform numbers in 0 … 20.
    expect(Math.abs(mean(late.label) - mean(late.confirm))).toBeLessThan(1.04)
  })

  it('a heavy tail is Lomax with exponent 1.5, of which half are below 0.5 · (2^(2/3) − 1) times the mean', () => {
    const delay = new Delay({ law: 'heavy', mean: 1000, limit: 2 ** 20 - 1 })
    const random = new Random(1, 'delay')
    const drawn = Array.from({ length: 2000 }, () => delay.draw(random)).sort((a, b) => a - b)
    // The share below the median of the law, within four standard errors; with exponent 2.5 it would be 0.37.
    expect(Math.abs(drawn.findIndex((one) => one > 293.7) / 2000 - 0.5)).toBeLessThan(0.045)
  })

  it('a number of samples is a delay of any length', () => {
    const people = new FeedbackModel({ levels: 3, delay: 1001 })
    people.ask({ id: 0, level: 1, confidence: 1 }, 1, 'verdict')
    for (let time = 0; time < 1001; time++) expect(people.arrived()).toHaveLength(0)
    expect(people.arrived()).toHaveLength(1)
  })

  it('a fixed delay keeps the order', () => {
    const answers = run({ delay: 25 }, 100)
    expect(answers.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, i) => i))
    expect(answers.every(({ id, time }) => time === id + 25)).toBe(true)
  })

  it.each(['uniform', 'exponential', 'heavy'] as const)(
    '%s delays have the mean and bring answers out of order',
    (law) => {
      const answers = run({ delay: { law, mean: 20 } })
      const ids = answers.map(({ id }) => id)
      expect(ids).not.toEqual(ids.toSorted((a, b) => a - b))
      const delays = answers.map(({ id, time }) => time - id)
      const mean = delays.reduce((a, b) => a + b) / delays.length
      // A heavy tail converges slowly, and its part beyond 1,000 samples never comes.
      expect(mean).toBeGreaterThan(law === 'heavy' ? 14 : 19)
      expect(mean).toBeLessThan(21)
      expect(Math.max(...delays)).toBeGreaterThan({ uniform: 35, exponential: 100, heavy: 300 }[law])
      expect(Math.max(...delays)).toBeLessThanOrEqual(law === 'uniform' ? 40 : 1000)
    },
  )

  it('loses answers that would come after the limit, and no others', () => {
    expect(run({ delay: { mean: 30, limit: 29 } }, 100)).toEqual([])
    expect(run({ delay: { mean: 30, limit: 29 }, lateWhenRight: 1 }, 100)).toEqual([])
    expect(run({ delay: { mean: 30, limit: 30 } }, 100)).toHaveLength(100)
  })

  it('misses, errs and tires at the rates given (4 standard errors)', () => {
    expect(Math.abs(run({ missing: 0.3 }).length / 4000 - 0.7)).toBeLessThan(4 * Math.sqrt(0.21 / 4000))
    const wrong = run({ wrong: 0.2 }).filter(({ feedback }) => feedback.kind === 'reject').length
    expect(Math.abs(wrong / 4000 - 0.2)).toBeLessThan(4 * Math.sqrt(0.16 / 4000))
    const tired = run({ halfLife: 1000 }).map(({ id }) => id)
    const early = tired.filter((id) => id < 200).length / 200
    const late = tired.filter((id) => id >= 2900 && id < 3100).length / 200
    expect(early).toBeGreaterThan(0.85)
    expect(late).toBeLessThan(0.25)
  })

  it('a wrong label is any other level alike', () => {
    const told = run({ wrong: 1 }, 4000, 1, 'label').map(({ feedback }) => feedback.level)
    expect(told.filter((level) => level === 1)).toEqual([])
    expect(Math.abs(told.filter((level) => level === 0).length / 4000 - 0.5)).toBeLessThan(0.04)
  })

  it('answers only what looks easy', () => {
    expect(run({ easyAbove: 0.75 }, 100).map(({ id }) => id % 10)).toEqual(
      Array.from({ length: 20 }, (_, i) => 8 + (i % 2)),
    )
  })

  it('treats wrong and right assessments otherwise: later, not at all, or with the level named', () => {
    const late = run({ lateWhenWrong: 30 }, 100, 2)
    expect(late.every(({ id, time }) => time === id + 30)).toBe(true)
    expect(run({ lateWhenWrong: 30 }, 100, 1).every(({ id, time }) => time === id)).toBe(true)
    expect(run({ lateWhenWrong: 30, delay: 5 }, 100, 2).every(({ id, time }) => time === id + 35)).toBe(true)
    expect(run({ lateWhenRight: 30 }, 100, 1).every(({ id, time }) => time === id + 30)).toBe(true)
    expect(run({ lateWhenRight: 30 }, 100, 2).every(({ id, time }) => time === id)).toBe(true)
    expect(run({ skipWhenWrong: 1 }, 100, 2)).toEqual([])
    const skipped = 1 - run({ skipWhenWrong: 0.2 }, 4000, 2).length / 4000
    expect(Math.abs(skipped - 0.2)).toBeLessThan(4 * Math.sqrt(0.16 / 4000))
    expect(run({ skipWhenWrong: 1 }, 100, 1)).toHaveLength(100)
    const named = run({ volunteer: 0.2 }, 4000, 2).filter(({ feedback }) => feedback.kind === 'label')
    expect(Math.abs(named.length / 4000 - 0.2)).toBeLessThan(4 * Math.sqrt(0.16 / 4000))
    expect(named.every(({ feedback }) => feedback.level === 2)).toBe(true)
    expect(run({ volunteer: 1 }, 50, 1).every(({ feedback }) => feedback.kind === 'confirm')).toBe(true)
  })

  it('one habit does not change the others', () => {
    const wrong = (options: Partial<FeedbackModelOptions>) =>
      run({ wrong: 0.2, ...options }, 500)
        .filter(({ feedback }) => feedback.kind === 'reject')
        .map(({ id }) => id)
    expect(wrong({ delay: { law: 'fixed', mean: 7 } })).toEqual(wrong({}))
    /** Which of the wrong assessments are skipped; a habit that is off draws nothing. */
    const skipped = (options: Partial<FeedbackModelOptions>) =>
      run({ skipWhenWrong: 0.3, ...options }, 500, 2).map(({ id }) => id)
    expect(skipped({ wrong: 0.5, delay: { law: 'uniform', mean: 0.4 } }).toSorted((a, b) => a - b)).toEqual(skipped({}))
  })

  it('skipping and volunteering each draw one number for a wrong assessment, and none where they are off', () => {
    const draws = () => {
      const random = new Random(7, 'feedback whims')
      return Array.from({ length: 300 }, () => random.uniform() < 0.3)
    }
    const skipped = new Set(run({ skipWhenWrong: 0.3, seed: 7 }, 300, 2).map(({ id }) => id))
    expect(Array.from({ length: 300 }, (_, id) => !skipped.has(id))).toEqual(draws())
    const named = run({ volunteer: 0.3, seed: 7 }, 300, 2).map(({ feedback }) => feedback.kind === 'label')
    expect(named).toEqual(draws())
  })

  it('carries the probability of asking with the answer', () => {
    const people = new FeedbackModel({ levels: 2 })
    people.ask({ id: 0, level: 0, confidence: 1 }, 0, 'verdict', 0.25)
    expect(people.arrived()).toEqual([{ id: 0, feedback: { kind: 'confirm', asked: 0.25 } }])
    people.ask({ id: 1, level: 0, confidence: 1 }, 0, 'verdict', 1)
    expect(people.arrived()[0].feedback).not.toHaveProperty('asked')
  })

  it('answers that were under way come before those to the newest question, and each comes once', () => {
    const people = new FeedbackModel({ levels: 2, lateWhenWrong: 1 })
    people.ask({ id: 0, level: 1, confidence: 1 }, 0, 'verdict')
    expect(people.arrived()).toEqual([])
    people.ask({ id: 1, level: 0, confidence: 1 }, 0, 'verdict')
    people.ask({ id: 2, level: 0, confidence: 1 }, 0, 'verdict')
    expect(people.arrived().map(({ id }) => id)).toEqual([0, 1, 2])
    expect(people.arrived()).toEqual([])
  })

  it.each([
    ['levels', 1],
    ['rho', 2],
    ['missing', -0.1],
    ['wrong', Number.NaN],
    ['halfLife', 0],
    ['easyAbove', 1.5],
    ['delay', 'soon'],
    ['delay', { mean: -1 }],
    ['delay', { mean: 1, law: 'late' }],
    ['delay', { mean: 1, limit: 0.5 }],
    ['speed', 1],
  ])('refuses %s: %s', (option, value) => {
    expect(() => new FeedbackModel({ levels: 3, [option]: value } as FeedbackModelOptions)).toThrow(OptionError)
    expect(() => new FeedbackModel({ levels: 3, [option]: value } as FeedbackModelOptions)).toThrow(`option ${option}`)
  })

  it('says what a delay may be', () => {
    const soon = { levels: 3, delay: 'soon' as never }
    expect(() => new FeedbackModel(soon)).toThrow('it must be a number of samples, or { law, mean, limit }')
  })
})

describe('Delay', () => {
  it('is a whole number from 0 to the limit, or never', () => {
    const options = fc.record({
      law: fc.constantFrom<DelayOptions['law']>('fixed', 'uniform', 'exponential', 'heavy'),
      mean: fc.double({ min: 0, max: 1e6, noNaN: true }),
      limit: fc.integer({ min: 0, max: 5000 }),
    })
    fc.assert(
      fc.property(options, fc.integer({ min: 0, max: 1e6 }), (options, seed) => {
        const delay = new Delay(options).draw(new Random(seed, 'delay'))
        expect(Number.isInteger(delay) && delay >= -1 && delay <= options.limit).toBe(true)
      }),
    )
  })
})
