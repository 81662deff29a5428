import { describe, expect, it } from 'vitest'
import { OptionError } from '../../errors.ts'
import { Random } from '../../math/random.ts'
import { Arf } from '../../rivals/arf.ts'
import { Srp } from '../../rivals/srp/srp.ts'
import { StateWriter } from '../../state/state-io.ts'
import { FOREST, Forest } from './forest.ts'

const SHAPE = { channels: 5, levels: 3 }

/** Five channels, two of which tell the level; it changes its meaning halfway. */
function samples(count: number) {
  const random = new Random(3, 'forest')
  return Array.from({ length: count }, (_, t) => {
    const x = Float64Array.from({ length: 5 }, () => random.normal())
    const level = x[1] > 0.3 ? 0 : x[3] > 0 ? 1 : 2
    return { x, level: t < count / 2 ? level : (level + 1) % 3 }
  })
}

describe('Forest', () => {
  it.each([
    ['ARF where leaves look at few channels', {}, new Arf({ ...SHAPE, members: 4, epsilon: 0 })],
    [
      'SRP where trees see few channels',
      { subspace: 0.6, features: 'all', driftDelta: 1e-5, warningDelta: 1e-4 } as const,
      new Srp({ ...SHAPE, members: 4, epsilon: 0 }),
    ],
  ])('is %s', (_, options, rival) => {
    const forest = new Forest({ ...SHAPE, ...options, members: 4 })
    const out = new Float64Array(3)
    for (const { x, level } of samples(700)) {
      forest.predict(x, out)
      const { id, level: said, confidence } = rival.assess(x, 'full')
      expect(out[said]).toBe(confidence)
      rival.learn(id, { kind: 'label', level })
      forest.learn(x, level)
    }
  })

  it('learns a weight of three as three samples', () => {
    const [weighted, repeated] = [0, 1].map(() => new Forest({ ...SHAPE, members: 2 }))
    for (const { x, level } of samples(60)) {
      weighted.learn(x, level, 3)
      for (let k = 0; k < 3; k++) repeated.learn(x, level)
    }
    const [one, other] = [weighted, repeated].map((forest) => {
      const writer = new StateWriter()
      forest.transfer(writer)
      return writer.finish()
    })
    expect(one).toEqual(other)
  })

  it('grows no further than its memory in MiB, half of which is for trees in the background', () => {
    const memory = 0.1
    const eager = { gracePeriod: 10, tieThreshold: 1, splitConfidence: 1, driftDetection: false } as const
    const forest = new Forest({ ...SHAPE, ...eager, members: 2, memory })
    for (const { x, level } of samples(2500)) forest.learn(x, level)
    const writer = new StateWriter()
    forest.transfer(writer)
    const { length } = writer.finish()
    expect(length).toBeLessThan(0.7 * memory * 2 ** 20)
    expect(length).toBeGreaterThan(0.4 * memory * 2 ** 20)
    expect(FOREST.mostBytes?.(SHAPE, { memory: 3 })).toBe(3 * 2 ** 20)
    expect(FOREST.mostBytes?.(SHAPE, {})).toBe(2 ** 29)
  })

  it('refuses more channels for a leaf than its tree sees', () => {
    expect(() => new Forest({ ...SHAPE, subspace: 0.6, features: 3 })).not.toThrow()
    expect(() => new Forest({ ...SHAPE, subspace: 0.6, features: 4 })).toThrow(OptionError)
  })
})
