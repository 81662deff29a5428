import { describe, expect, it } from 'vitest'
import type { Assessor } from '../assessor.ts'
import { Random } from '../math/random.ts'
import { createAssessor, restoreAssessor } from '../methods.ts'
import { explain } from './explain.ts'

/**
 * A stream with known causes. The level is 1 while one of the causing channels is raised, each episode another one. The
 * channels behind the causes wander as much and mean nothing; the last one follows all causes a little.
 */
class PlantedCauses {
  readonly channels: number
  private readonly causes: number
  private readonly random: Random
  private readonly wander: Float64Array

  constructor(channels: number, causes: number, seed: number) {
    this.channels = channels
    this.causes = causes
    this.random = new Random(seed, 'planted')
    this.wander = new Float64Array(channels)
  }

  /** Samples of an episode of 10 in which `cause` is raised; a quiet one where it is −1. */
  episode(cause: number): Float64Array[] {
    return Array.from({ length: 10 }, () => {
      const { wander, random } = this
      for (let c = 0; c < wander.length; c++) wander[c] = 0.8 * wander[c] + 0.6 * random.normal()
      const x = wander.slice()
      if (cause >= 0) {
        x[cause] += 6
        x[this.channels - 1] += 1
      }
      return x
    })
  }

  draw(): number {
    return this.random.uniform() < 0.5 ? -1 : this.random.integer(this.causes)
  }
}

function teach(assessor: Assessor, stream: PlantedCauses, episodes: number): void {
  for (let n = 0; n < episodes; n++) {
    const cause = stream.draw()
    for (const x of stream.episode(cause)) {
      const { id } = assessor.assess(x)
      assessor.learn(id, { kind: 'label', level: cause >= 0 ? 1 : 0 })
    }
  }
}

/** How many of the planted causes rank first. */
function found(method: string, channels: number, causes: number, trials: number): number {
  const stream = new PlantedCauses(channels, causes, 7)
  const assessor = createAssessor(method, { channels, levels: 2, seed: 3 })
  teach(assessor, stream, 200)
  const bytes = assessor.snapshot()
  const copy = restoreAssessor(bytes)
  let first = 0
  for (let trial = 0; trial < trials; trial++) {
    const cause = trial % causes
    const reference = [...stream.episode(-1), ...stream.episode(-1)]
    const { contributions } = explain(copy, stream.episode(cause), reference, { seed: trial })
    if (contributions.indexOf(Math.max(...contributions)) === cause) first++
  }
  return first / trials
}

describe('explain', () => {
  it.each([
    ['pb-oel', 12, 4],
    ['pb-oel-plus', 12, 4],
    ['rvfl', 12, 4],
    ['arf', 12, 4],
    ['pb-oel', 40, 3],
  ])(
    '%s, %d channels: at least 9 of 10 planted causes rank first',
    (method, channels, causes) => {
      expect(found(method, channels, causes, 40)).toBeGreaterThanOrEqual(0.9)
    },
    60_000,
  )

  const small = () => {
    const stream = new PlantedCauses(6, 2, 1)
    const assessor = createAssessor('pb-oel', { channels: 6, levels: 2, seed: 1 })
    teach(assessor, stream, 60)
    return { stream, assessor }
  }

  it('contributions sum to what the level leads by, compared with the reference', () => {
    const { stream, assessor } = small()
    const { contributions, lead, referenceLead, level, against } = explain(
      assessor,
      stream.episode(1),
      stream.episode(-1),
    )
    expect([level, against]).toEqual([1, 0])
    expect(contributions.reduce((sum, value) => sum + value, 0)).toBeCloseTo(lead - referenceLead, 9)
    expect(lead).toBeGreaterThan(0.5)
    expect(referenceLead).toBeLessThan(0)
  })

  it('gives the same bits again, and costs no more than its budget', () => {
    const { stream, assessor } = small()
    const bytes = assessor.snapshot()
    const [window, reference] = [stream.episode(0), stream.episode(-1)]
    const run = (budget: number) => {
      const copy = restoreAssessor(bytes)
      let calls = 0
      const counted = {
        ...copy,
        levels: copy.levels,
        channels: copy.channels,
        assess: (x: Float64Array) => {
          calls++
          return copy.assess(x)
        },
      }
      const { contributions } = explain(counted as Assessor, window, reference, { budget })
      return { calls, contributions }
    }
    expect(run(500).contributions).toEqual(run(500).contributions)
    // A look at the levels of both sides comes before the walks.
    expect(run(500).calls).toBeLessThanOrEqual(500 + 40)
    // Ten samples of each side are looked at; then four walks of seven tries, and never more than 64.
    expect(run(1).calls).toBe(20 + 4 * 7)
    expect(run(1e6).calls).toBe(20 + 64 * 7)
  })

  /** An assessor that says what `probabilities` makes of a sample. */
  const saying = (channels: number, levels: number, probabilities: (x: Float64Array) => number[]) =>
    ({
      channels,
      levels,
      assess: (x: Float64Array) => ({ probabilities: Float64Array.from(probabilities(x)) }),
    }) as never
  const of = (...samples: number[][]) => samples.map((x) => Float64Array.from(x))

  it('shares alike between two channels of which neither does anything alone: every order is walked backwards too', () => {
    const both = saying(2, 2, ([a, b]) => [1 - a * b, a * b])
    for (let seed = 0; seed < 9; seed++) {
      const { contributions } = explain(both, of([1, 1]), of([0, 0]), { budget: 1, seed, level: 1 })
      expect([...contributions]).toEqual([1, 1])
    }
  })

  it('walks between all samples of the window and of the reference, by its seed', () => {
    const linear = saying(1, 2, ([x]) => [1 - x, x])
    const leads = (seed: number) =>
      explain(linear, of([0.5], [0.9], [1]), of([0], [0.2]), { seed, budget: 24, level: 1 })
    // Twelve walks, two of them between the same samples: 2 · x − 1 on average.
    expect(leads(1).lead).toBeCloseTo(0.6, 12)
    const references = [1, 2, 3, 4, 5].map((seed) => leads(seed).referenceLead)
    expect(Math.min(...references)).toBeGreaterThan(-1)
    expect(Math.max(...references)).toBeLessThan(-0.6)
    expect(new Set(references).size).toBeGreaterThan(1)
  })

  it('explains the likely level of many samples, against that of the reference or else the second most probable', () => {
    const said = saying(1, 3, ([x]) => (x < 0 ? [0.7, 0.2, 0.1] : [0.1, 0.6, 0.3]))
    const window = of([-1], ...Array.from({ length: 99 }, () => [1]))
    expect(explain(said, window, of([-1]), { budget: 1 })).toMatchObject({ level: 1, against: 0 })
    expect(explain(said, window, of([2]), { budget: 1 })).toMatchObject({ level: 1, against: 2 })
  })

  it('finds nothing where the method looks at no channel', () => {
    const assessor = createAssessor('majority', { channels: 2, levels: 2 })
    const { contributions } = explain(assessor, [Float64Array.of(1, 2)], [Float64Array.of(0, 0)])
    expect([...contributions]).toEqual([0, 0])
  })

  it.each([
    ['window', [], [Float64Array.of(0)], {}],
    ['reference', [Float64Array.of(0)], [], {}],
    ['against', [Float64Array.of(0)], [Float64Array.of(0)], { level: 1, against: 1 }],
    ['level', [Float64Array.of(0)], [Float64Array.of(0)], { level: 5, against: 0 }],
  ])('says that %s is wrong', (name, window, reference, options) => {
    const assessor = createAssessor('majority', { channels: 1, levels: 2 })
    expect(() => explain(assessor, window, reference, options)).toThrow(name)
  })
})
