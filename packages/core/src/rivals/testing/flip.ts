import type { Assessor } from '../../assessor.ts'
import { Random } from '../../math/random.ts'

/** Two uniform channels and whether their sum is positive; turned round at `flip`. */
export function* flipStream(samples: number, flip: number, seed = 1): Generator<{ x: Float64Array; level: number }> {
  const random = new Random(seed, 'flip stream')
  for (let i = 0; i < samples; i++) {
    const x = Float64Array.of(random.between(-1, 1), random.between(-1, 1))
    const positive = x[0] + x[1] > 0
    yield { x, level: positive === i < flip ? 1 : 0 }
  }
}

/** What a run showed: whether each sample was right, and [member, sample] of each replacement. */
export interface FlipRun {
  right: number[]
  drifts: [number, number][]
}

/** Test-then-train with every label told. */
export function runWithLabels(assessor: Assessor, stream: Iterable<{ x: Float64Array; level: number }>): FlipRun {
  const run: FlipRun = { right: [], drifts: [] }
  let i = 0
  for (const { x, level } of stream) {
    const assessment = assessor.assess(x, 'full')
    run.right.push(assessment.level === level ? 1 : 0)
    // Shown with the first assessment after the replacement.
    assessment.drifts.forEach((flag, member) => {
      if (flag === 1) run.drifts.push([member, i - 1])
    })
    assessor.learn(assessment.id, { kind: 'label', level })
    i++
  }
  return run
}

/** Share of right answers in `from` … `to` − 1. */
export function accuracy({ right }: FlipRun, from: number, to: number): number {
  return right.slice(from, to).reduce((sum, value) => sum + value, 0) / (to - from)
}

/** Whether two snapshots are the same; much faster than `toEqual`. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.from(a).equals(b)
}
