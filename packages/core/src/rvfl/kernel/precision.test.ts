import { expect, it } from 'vitest'
import { PbOel } from '../../pb-oel/pb-oel.ts'
import { dive } from '../../streams/dive.ts'
import { fusedWorks } from './fused.ts'
import { KNOWN_PRECISIONS } from './known-precisions.ts'
import type { KernelOptions } from './options.ts'
import { SINGLE_PRECISION } from './single-precision.ts'

KNOWN_PRECISIONS.add([SINGLE_PRECISION])

/** Longer runs on four streams are in docs/decisions/arithmetic.md. */
const cases: KernelOptions[] = [
  { precision: 'single' },
  { threads: 2 },
  ...(fusedWorks() ? [{ arithmetic: 'fused' } as const] : []),
]

it.each(cases)('PB-OEL with %o has the accuracy of the default arithmetic on a dive, within 0.001', (options) => {
  expect(Math.abs(accuracy(options) - accuracy({}))).toBeLessThanOrEqual(0.001)
})

/** One label in twenty, right or wrong for the others. */
function accuracy(options: KernelOptions): number {
  const samples = 4000
  const pbOel = new PbOel({ channels: 24, levels: 3, horizon: samples, ...options })
  let right = 0
  let n = 0
  for (const { x, level } of dive({ samples })) {
    const assessment = pbOel.assess(x)
    if (assessment.level === level) right++
    if (n++ % 20 === 0) pbOel.learn(assessment.id, { kind: 'label', level })
    else pbOel.learn(assessment.id, { kind: assessment.level === level ? 'confirm' : 'reject' })
  }
  return right / samples
}
