import { expect, it } from 'vitest'
import { OptionError } from '../../errors.ts'
import { createKernel } from './create.ts'
import { KNOWN_PRECISIONS } from './known-precisions.ts'
import { SINGLE_PRECISION } from './single-precision.ts'

const SHAPE = { experts: 1, channels: 1, nodes: 0, levels: 1, ridge: 1, forgetting: 1 }

it.each(['auto', 'typescript'] as const)('single precision with %s is an error until it is known', (arithmetic) => {
  expect(() => createKernel(SHAPE, { arithmetic, precision: 'single' })).toThrow(OptionError)
})

it('single precision computes once it is known', () => {
  KNOWN_PRECISIONS.add([SINGLE_PRECISION])
  expect(createKernel(SHAPE, { precision: 'single' }).precision).toBe('single')
})
