import { describe, expect, it } from 'vitest'
import { OptionError } from '../errors.ts'
import { checkerboard } from './checkerboard.ts'
import { abruptDrift, gradualDrift, recurringDrift } from './drift.ts'
import { hyperplane } from './hyperplane.ts'
import { led } from './led.ts'
import { sea } from './sea.ts'
import type { Stream } from './stream.ts'
import { waveform } from './waveform.ts'

type Row = { x: number[]; level: number }
const rows = (stream: Stream): Row[] => Array.from(stream, ({ x, level }) => ({ x: [...x], level }))
const share = (values: boolean[]) => values.filter(Boolean).length / values.length

const EVERY: [string, (options: { seed?: number; samples?: number }) => Stream][] = [
  ['sea', sea],
  ['hyperplane', hyperplane],
  ['checkerboard', checkerboard],
  ['led', led],
  ['waveform', waveform],
]

describe.each(EVERY)('%s', (_name, make) => {
  it('is the same for the same seed, can be read again, and differs for another', () => {
    const stream = make({ seed: 5, samples: 50 })
    const first = rows(stream)
    expect(rows(stream)).toEqual(first)
    expect(rows(make({ seed: 5, samples: 50 }))).toEqual(first)
    expect(rows(make({ seed: 6, samples: 50 }))).not.toEqual(first)
    expect(first).toHaveLength(50)
  })

  it('keeps its shape: finite channels, levels in range, every level occurs', () => {
    const stream = make({ samples: 2000 })
    const all = rows(stream)
    expect(all.every(({ x }) => x.length === stream.channels.length && x.every(Number.isFinite))).toBe(true)
    expect(new Set(all.map(({ level }) => level))).toEqual(new Set(stream.levels.keys()))
  })

  it('refuses wrong and unknown options', () => {
    for (const options of [{ seed: -1 }, { samples: 0 }, { samples: 1.5 }, { colour: 1 }]) {
      expect(() => make(options as object)).toThrow(OptionError)
    }
  })
})

describe('sea', () => {
  it.each([8, 9, 7, 9.5].map((threshold, concept) => [concept, threshold]))(
    'concept %i has threshold %d',
    (concept, threshold) => {
      const all = rows(sea({ concept, noise: 0, samples: 3000 }))
      expect(all.every(({ x, level }) => level === Number(x[0] + x[1] > threshold))).toBe(true)
    },
  )

  it('has the stated share of wrong labels', () => {
    const wrong = rows(sea({ samples: 20_000 })).map(({ x, level }) => level !== Number(x[0] + x[1] > 8))
    expect(share(wrong)).toBeCloseTo(0.1, 2)
  })
})

describe('hyperplane', () => {
  it('stands still without drift and moves with it', () => {
    // A plane through the centre of the cube: the mirrored point lies on the other side as long as the plane stands
    // still.
    const still = rows(hyperplane({ magnitude: 0, noise: 0, channels: 2, samples: 4000 }))
    const slopes = (part: Row[]) => part.filter(({ level }) => level === 1).map(({ x }) => x)
    const centre = (points: number[][]) => points.reduce((sum, [a]) => sum + a, 0) / points.length
    expect(centre(slopes(still.slice(0, 2000)))).toBeCloseTo(centre(slopes(still.slice(2000))), 1)
    const moved = rows(hyperplane({ magnitude: 0.01, turn: 0, drifting: 1, noise: 0, channels: 2, samples: 4000 }))
    // The first weight grows far beyond the second: in the end the first channel alone decides.
    const late = moved.slice(3500).map(({ x, level }) => level === Number(x[0] >= 0.5))
    expect(share(late)).toBeGreaterThan(0.95)
  })
})

describe('checkerboard', () => {
  it('comes back after a whole turn', () => {
    const colour = ({ x, level }: Row) => level === Number(x[0] >= 0.5 !== x[1] >= 0.5)
    const all = rows(checkerboard({ samples: 40_000 }))
    expect(share(all.slice(0, 100).map(colour))).toBeGreaterThan(0.95)
    expect(share(all.slice(-100).map(colour))).toBeGreaterThan(0.95)
    expect(share(all.slice(5_000, 6_000).map(colour))).toBeLessThan(0.9)
  })
})

describe('led', () => {
  it('lights the segments of the digit, and other channels when swapped', () => {
    const eight = rows(led({ noise: 0, samples: 500 })).filter(({ level }) => level === 8)
    expect(eight.length).toBeGreaterThan(20)
    expect(eight.every(({ x }) => x.slice(0, 7).every((segment) => segment === 1))).toBe(true)
    const swapped = rows(led({ noise: 0, samples: 500, swapped: 3 })).filter(({ level }) => level === 8)
    expect(swapped.every(({ x }) => [...x.slice(3, 7), ...x.slice(7, 10)].every((segment) => segment === 1))).toBe(true)
    expect(swapped.some(({ x }) => x[0] === 0)).toBe(true)
  })

  it('inverts a segment with the stated probability', () => {
    const eight = rows(led({ samples: 20_000 })).filter(({ level }) => level === 8)
    expect(share(eight.flatMap(({ x }) => x.slice(0, 7).map((segment) => segment === 0)))).toBeCloseTo(0.1, 1)
  })

  it('cannot swap more segments than there are other channels', () => {
    expect(() => led({ irrelevant: 2, swapped: 3 })).toThrow('option swapped')
  })
})

describe('waveform', () => {
  it('has the means of its triangles', () => {
    const first = rows(waveform({ samples: 30_000 })).filter(({ level }) => level === 0)
    const at = (point: number) => first.reduce((sum, { x }) => sum + x[point], 0) / first.length
    // Mean mixture of the triangles around 6 and 14: half of each.
    for (const [point, expected] of [
      [0, 0],
      [6, 3],
      [10, 2],
      [14, 3],
      [20, 0],
    ]) {
      expect(Math.abs(at(point) - expected)).toBeLessThan(0.06)
    }
  })
})

describe('drift', () => {
  const never = sea({ concept: 2, noise: 0, samples: 6000 })
  const other = sea({ concept: 3, noise: 0, samples: 6000 })
  /** Whether the second concept holds, where the two disagree; undefined elsewhere. */
  const second = (stream: Stream) =>
    rows(stream).map(({ x, level }) => {
      const sum = x[0] + x[1]
      return sum > 7 && sum <= 9.5 ? level === 0 : undefined
    })
  const shareOf = (flags: (boolean | undefined)[]) => share(flags.filter((flag) => flag !== undefined))

  it('abrupt: at the sample named, by default in the middle', () => {
    const flags = second(abruptDrift(never, other, { at: 1000 }))
    expect(shareOf(flags.slice(0, 1000))).toBe(0)
    expect(shareOf(flags.slice(1000))).toBe(1)
    expect(shareOf(second(abruptDrift(never, other)).slice(0, 3000))).toBe(0)
  })

  it('gradual: half way at its centre, 2 % before and 98 % after its width', () => {
    const flags = second(gradualDrift(never, other, { width: 2000 }))
    expect(shareOf(flags.slice(0, 1500))).toBeLessThan(0.02)
    expect(shareOf(flags.slice(2800, 3200))).toBeGreaterThan(0.35)
    expect(shareOf(flags.slice(2800, 3200))).toBeLessThan(0.65)
    expect(shareOf(flags.slice(4500))).toBeGreaterThan(0.98)
  })

  it('recurring: to and fro', () => {
    const flags = second(recurringDrift(never, other, { period: 2000 }))
    expect(shareOf(flags.slice(0, 2000))).toBe(0)
    expect(shareOf(flags.slice(2000, 4000))).toBe(1)
    expect(shareOf(flags.slice(4000))).toBe(0)
  })

  it('repeats itself, and refuses streams of different shape', () => {
    const stream = gradualDrift(never, other)
    expect(rows(stream)).toEqual(rows(stream))
    expect(() => abruptDrift(never, waveform())).toThrow('a stream with the channels and levels of sea')
    expect(() => abruptDrift(never, other, { at: 6001 })).toThrow(OptionError)
  })

  it('is as long as the shorter stream', () => {
    expect(rows(recurringDrift(never, sea({ samples: 100 })))).toHaveLength(100)
  })
})
