import { describe, expect, it } from 'vitest'
import { Random } from '../math/random.ts'
import type { PbOelPlusOptions } from './options.ts'
import { PbOelPlus } from './pb-oel-plus.ts'

const LEVELS = 3
const CHANNELS = 4

/** Levels whose channels 0 and 1 tell them apart; the other two are noise. */
function sampleOf(random: Random, level: number): Float64Array {
  return Float64Array.of(
    level + 0.3 * random.normal(),
    -level + 0.3 * random.normal(),
    random.normal(),
    random.normal(),
  )
}

/** Right answers among the samples from `from` on; `change` may spoil a sample. */
function rightFrom(
  from: number,
  to: number,
  change: (x: Float64Array, t: number) => void,
  options: Partial<PbOelPlusOptions> = {},
): number {
  const random = new Random(11, 'robust inputs')
  const assessor = new PbOelPlus({ channels: CHANNELS, levels: LEVELS, seed: 4, ...options })
  let right = 0
  for (let t = 0; t < to; t++) {
    const truth = Math.floor(random.uniform() * LEVELS)
    const x = sampleOf(random, truth)
    change(x, t)
    const { id, level } = assessor.assess(x, 'full')
    if (t >= from && level === truth) right++
    assessor.learn(id, { kind: 'label', level: truth })
  }
  return right / (to - from)
}

describe('inputs of PB-OEL+', () => {
  const usual = rightFrom(500, 1000, () => {})

  it.each([0, 2, 30, 499])(
    'one labelled 1e6 as answer %i costs less than 0.02 of the accuracy from answer 500 on',
    (at) => {
      const spike = (x: Float64Array, t: number) => {
        if (t === at) x.fill(1e6)
      }
      expect(rightFrom(500, 1000, spike)).toBeGreaterThan(usual - 0.02)
    },
  )

  it('without guard and with running scales the same spike does harm, so the test above can fail', () => {
    const spike = (x: Float64Array, t: number) => {
      if (t === 499) x.fill(1e6)
    }
    const bare = { guard: false, scaling: 'running', members: [] } as const
    expect(rightFrom(500, 1000, spike, bare)).toBeLessThan(usual - 0.2)
  })

  it.each([1e-12, 1e-6, 1e-4, 1e6])(
    'the accuracy stays the same within 0.02 whatever the unit: channels × %d',
    (unit) => {
      const rescale = (x: Float64Array) => {
        for (let i = 0; i < x.length; i++) x[i] *= unit
      }
      expect(Math.abs(rightFrom(500, 1000, rescale) - usual)).toBeLessThan(0.02)
    },
  )

  it('nor do units that differ from channel to channel, and a large offset', () => {
    const mixed = (x: Float64Array) => {
      for (let i = 0; i < x.length; i++) x[i] = x[i] * [1e-6, 1e6, 1, 1e3][i] + [0, 0, 1e5, 0][i]
    }
    expect(Math.abs(rightFrom(500, 1000, mixed) - usual)).toBeLessThan(0.02)
  })

  it('a channel that never moves does no harm, and counts from when it moves', () => {
    const dead = (x: Float64Array) => {
      x[2] = 7
    }
    expect(rightFrom(500, 1000, dead)).toBeGreaterThan(usual - 0.02)
    // Channel 0 tells nothing in the first half, and channel 1 nothing in the second.
    const late = (x: Float64Array, t: number) => {
      if (t < 1000) x[0] = 3
      else x[1] = 0
    }
    expect(rightFrom(2500, 3000, late)).toBeGreaterThan(0.75)
  })
})
