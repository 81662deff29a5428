import { describe, expect, it } from 'vitest'
import { type Assessment, type Assessor, copyAssessment } from '../assessor.ts'
import { Random } from '../math/random.ts'
import { Cpssds } from './cpssds/cpssds.ts'
import { Flip } from './flip.ts'
import { Majority } from './majority.ts'
import { NoChange } from './no-change.ts'
import { Oadac2 } from './oadac2/oadac2.ts'
import { ObAdwin } from './ob-adwin.ts'
import { RoaleDi } from './roale-di/roale-di.ts'

/** The variants that the law suite, which runs every method with its defaults, does not reach. */
interface Variant {
  name: string
  make(seed: number): Assessor
  restore(bytes: Uint8Array): Assessor
  /** Whether the seed changes what is learned, not only what is explored. */
  random: boolean
}

const warmUp = Array.from({ length: 30 }, (_, i) => ({ x: [Math.sin(i), i % 3, 1], level: i % 2 }))
const task = { channels: 3, levels: 2, warmUp }

const VARIANTS: Variant[] = [
  ...(['nearest-neighbours', 'hoeffding-tree', 'naive-bayes'] as const).flatMap((base) =>
    (['canonical', 'skm'] as const).flatMap((compat) => [
      {
        name: `ob-adwin, ${base}, ${compat}`,
        make: (seed: number) => new ObAdwin({ ...task, seed, base, compat, members: 4 }),
        restore: ObAdwin.restore,
        random: true,
      },
      {
        name: `oadac2, ${base}, ${compat}`,
        make: (seed: number) =>
          new Oadac2({ ...task, seed, base, compat, members: 4, standardize: compat === 'canonical' }),
        restore: Oadac2.restore,
        random: true,
      },
    ]),
  ),
  ...(['canonical', 'skm'] as const).flatMap((compat) => [
    {
      name: `roale-di, ${compat}`,
      make: (seed: number) => new RoaleDi({ ...task, seed, compat, block: 60, labelShare: 0.2 }),
      restore: RoaleDi.restore,
      random: true,
    },
    {
      name: `cpssds, ${compat}`,
      make: (seed: number) => new Cpssds({ ...task, seed, compat, chunk: 50 }),
      restore: Cpssds.restore,
      random: compat === 'canonical',
    },
    {
      name: `cpssds, tree, ${compat}`,
      make: (seed: number) => new Cpssds({ ...task, seed, compat, chunk: 50, base: 'hoeffding-tree' }),
      restore: Cpssds.restore,
      random: compat === 'canonical',
    },
  ]),
  { name: 'no-change', make: (seed) => new NoChange({ ...task, seed }), restore: NoChange.restore, random: false },
  { name: 'majority', make: (seed) => new Majority({ ...task, seed }), restore: Majority.restore, random: false },
  { name: 'flip', make: (seed) => new Flip({ ...task, seed }), restore: Flip.restore, random: false },
]

/** Mixed feedback on a stream whose levels overlap and change places halfway. */
function run(assessor: Assessor, from: number, to: number): Assessment[] {
  const random = new Random(from, 'rivals')
  const said: Assessment[] = []
  for (let t = from; t < to; t++) {
    const truth = random.integer(2)
    const side = t < 250 ? truth : 1 - truth
    const x = Float64Array.of(1.5 * side + random.normal(), random.normal(), 100 * random.normal())
    const full = random.uniform() < 0.4
    const assessment = copyAssessment(assessor.assess(x, full ? 'full' : 'partial'))
    said.push(assessment)
    const { id, level } = assessment
    assessor.learn(id, full ? { kind: 'label', level: truth } : { kind: level === truth ? 'confirm' : 'reject' })
  }
  return said
}

describe.each(VARIANTS)('$name', ({ make, restore, random }) => {
  it('does the same with the same seed, and goes on from a snapshot as if nothing had happened', () => {
    const original = make(3)
    const twin = make(3)
    expect(run(twin, 0, 130)).toEqual(run(original, 0, 130))
    let copy = twin
    for (const [from, to] of [
      [130, 263],
      [263, 400],
      [400, 500],
    ]) {
      const bytes = copy.snapshot()
      copy = restore(bytes)
      expect(Buffer.from(copy.snapshot()).equals(bytes)).toBe(true)
      expect(run(copy, from, to)).toEqual(run(original, from, to))
    }
    expect(Buffer.from(copy.snapshot()).equals(original.snapshot())).toBe(true)
  })

  if (!random) return
  it('learns differently with another seed', () => {
    const confidences = (seed: number): number[] => {
      const assessor = make(seed)
      run(assessor, 0, 200)
      return Array.from({ length: 20 }, (_, i) => assessor.assess(Float64Array.of(i / 10, 0, i), 'full').confidence)
    }
    expect(confidences(4)).not.toEqual(confidences(5))
  })
})
