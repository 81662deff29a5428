import { beforeEach, expect, it, vi } from 'vitest'

const SHAPE = { experts: 1, channels: 1, nodes: 0, levels: 1, ridge: 1, forgetting: 1 }

// Other test files of the same process have made single precision known.
beforeEach(() => {
  vi.resetModules()
})

it.each(['auto', 'typescript'] as const)(
  'single precision with %s is an error until it is known',
  async (arithmetic) => {
    const [{ createKernel }, { OptionError }] = await Promise.all([import('./create.ts'), import('../../errors.ts')])
    expect(() => createKernel(SHAPE, { arithmetic, precision: 'single' })).toThrow(OptionError)
  },
)

it('single precision computes once it is known', async () => {
  const { createKernel } = await import('./create.ts')
  const { KNOWN_PRECISIONS } = await import('./known-precisions.ts')
  const { SINGLE_PRECISION } = await import('./single-precision.ts')
  KNOWN_PRECISIONS.add([SINGLE_PRECISION])
  expect(createKernel(SHAPE, { precision: 'single' }).precision).toBe('single')
})
