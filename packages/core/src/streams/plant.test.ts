import { describe, expect, it } from 'vitest'
import { plant } from './plant.ts'

const rows = (options: Parameters<typeof plant>[0]) =>
  Array.from(plant(options), ({ x, level }) => ({ x: [...x], level }))

describe('plant', () => {
  it('gives the same samples again, of every level and length', () => {
    for (const [channels, levels] of [
      [1, 2],
      [3, 20],
      [500, 4],
    ]) {
      const options = { samples: 400, channels, levels, seed: 3 }
      expect(rows(options)).toEqual(rows(options))
      expect(new Set(rows(options).map(({ level }) => level)).size).toBe(levels)
      expect(rows(options)[0].x).toHaveLength(channels)
    }
  })

  it('spreads scales, keeps constants, and lets channels die', () => {
    const found = rows({ samples: 600, channels: 5, spread: 8, constant: 1, dead: 1 })
    const span = (i: number, from = 0) => {
      const values = found.slice(from).map(({ x }) => x[i])
      return Math.max(...values) - Math.min(...values)
    }
    expect(span(3) / span(0)).toBeGreaterThan(1e5)
    expect(span(4)).toBe(0)
    expect(span(0)).toBeGreaterThan(0)
    expect(span(0, 300)).toBe(0)
    const late = found.slice(200, 300).map(({ x }) => x[0])
    expect(Math.max(...late)).toBeGreaterThan(Math.min(...late))
    expect(span(1, 300)).toBeGreaterThan(0)
  })

  it('repeats the share of values that are held', () => {
    const found = rows({ samples: 3000, channels: 3, held: 0.3 })
    const repeated = found.slice(1).filter(({ x }, t) => x[1] === found[t].x[1]).length
    expect(repeated / found.length).toBeCloseTo(0.3, 1)
  })

  it('keeps a level for 20 samples or so, 5 deviations away from the others', () => {
    const found = rows({ samples: 20_000, channels: 1, levels: 2 })
    // A level is drawn anew every 20 samples, half of the time the same one.
    const changes = found.filter(({ level }, t) => t > 0 && level !== found[t - 1].level).length
    expect(Math.abs(changes - 500)).toBeLessThan(110)
    const [low, high] = [0, 1].map((level) => found.filter((row) => row.level === level).map(({ x }) => x[0]))
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    expect(mean(high) - mean(low)).toBeCloseTo(5, 1)
  })

  it('has a level that is rare, and one that comes late', () => {
    const rare = rows({ samples: 40_000, channels: 2, levels: 2, rare: 0.01 })
    const share = rare.filter(({ level }) => level === 1).length / rare.length
    expect(share).toBeGreaterThan(0.003)
    expect(share).toBeLessThan(0.03)
    const third = rows({ samples: 40_000, channels: 2, levels: 2, rare: 0.3 })
    expect(third.filter(({ level }) => level === 1).length / 40_000).toBeCloseTo(0.3, 1)
    const late = rows({ samples: 1000, levels: 3, late: 0.5 })
    expect(late.findIndex(({ level }) => level === 2)).toBeGreaterThanOrEqual(500)
  })
})
