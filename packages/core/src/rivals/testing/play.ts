import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
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

const ELECTRICITY = new URL('../../../../../../shared/datasets/electricity.csv.gz', import.meta.url)

/** The electricity stream (45,312 samples, 8 channels), or undefined where ../shared/datasets is not there. */
export function electricity(): Sample[] | undefined {
  if (!existsSync(ELECTRICITY)) return undefined
  const [, ...lines] = gunzipSync(readFileSync(ELECTRICITY)).toString('utf8').trim().split('\n')
  return lines.map((line) => {
    const fields = line.split(',').map(Number)
    return { level: fields.pop() as number, x: Float64Array.from(fields) }
  })
}
