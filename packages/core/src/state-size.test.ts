import { describe, expect, it } from 'vitest'
import { createAssessor, METHODS } from './methods.ts'
import { stateSize } from './state-size.ts'

describe('stateSize', () => {
  it.each([24, 200, 600])('of %i channels is about that of a snapshot', (channels) => {
    for (const method of ['pb-oel', 'pb-oel-plus', 'rvfl-hddm-np']) {
      // A snapshot holds no places for assessments to come.
      const options = { pending: 1 }
      const { length } = createAssessor(method, { channels, levels: 3 }, options).snapshot()
      const size = stateSize(method, { channels, levels: 3 }, options)
      // The frozen random weights are in memory but in no snapshot.
      expect(size).toBeGreaterThan(0.7 * length)
      // Its forest may grow to 8 MiB, and has not yet.
      const forest = method === 'pb-oel-plus' ? 8 * 2 ** 20 : 0
      expect(size).toBeGreaterThan(forest)
      expect(size).toBeLessThan(2.5 * length + forest)
    }
  })

  it('grows with networks, nodes and the square of channels, and checks options as the method does', () => {
    const of = (options: object, channels = 100) => stateSize('pb-oel', { channels, levels: 2 }, options as never)
    expect(of({ networks: 100 })).toBeGreaterThan(5 * of({ networks: 10 }))
    expect(of({ experts: 100 })).toBe(of({ networks: 100 }))
    expect(of({ nodes: 100 })).toBeGreaterThan(15 * of({}))
    expect(of({}, 10_000)).toBeGreaterThan(4e9)
    expect(of({ precision: 'single', pending: 1 }, 1_000) / of({ pending: 1 }, 1_000)).toBeCloseTo(0.5, 1)
    // Each assessment that waits holds its sample and the advice of ten networks on two levels; 8 bytes a number.
    expect(of({ pending: 1001 }) - of({ pending: 1 })).toBe(1000 * 8 * (100 + 10 * 2))
    expect(of({ buffer: 51 }) - of({ buffer: 1 })).toBe(50 * 8 * 100)
    expect(() => of({ networks: 'many' })).toThrow('networks')
    for (const { name } of METHODS) expect(stateSize(name, { channels: 2, levels: 2 })).toBeGreaterThanOrEqual(0)
  })
})
