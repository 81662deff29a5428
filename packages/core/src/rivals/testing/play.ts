import type { Assessor } from '../../assessor.ts'

/** A labelled sample of a test stream. */
export interface Sample {
  readonly x: Float64Array
  readonly level: number
}

/** What came of a run: whether each assessment was right, and how many members were replaced before each. */
export interface Run {
  readonly right: boolean[]
  readonly replaced: number[]
}

/** Test, then train, with every label given. */
export function play(assessor: Assessor, samples: Iterable<Sample>): Run {
  const right: boolean[] = []
  const replaced: number[] = []
  for (const { x, level } of samples) {
    const { id, level: assessed, drifts } = assessor.assess(x, 'full')
    right.push(assessed === level)
    replaced.push(drifts.reduce((a, b) => a + b))
    assessor.learn(id, { kind: 'label', level })
  }
  return { right, replaced }
}

/** Share of true values from `from` to before `to`. */
export function share(right: readonly boolean[], from = 0, to = right.length): number {
  let count = 0
  for (let i = from; i < to; i++) if (right[i]) count++
  return count / (to - from)
}
