import { describe, expect, it } from 'vitest'
import { usedHeap } from '../../../../test/support/used-heap.ts'
import { OptionError } from '../errors.ts'
import { type DiveOptions, dive } from './dive.ts'
import { channelIndex, type DiveChannel } from './dive-channels.ts'

/** The whole dive as columns, for the tests only. */
function record(options: DiveOptions = {}): { levels: number[]; column: (channel: DiveChannel) => number[] } {
  const rows: Float64Array[] = []
  const levels: number[] = []
  for (const { x, level } of dive(options)) {
    rows.push(x.slice())
    levels.push(level)
  }
  return { levels, column: (channel) => rows.map((x) => x[channelIndex(channel)]) }
}

/** [first row, level] of every run of equal levels. */
function runs(levels: readonly number[]): [number, number][] {
  const result: [number, number][] = []
  levels.forEach((level, i) => {
    if (i === 0 || level !== levels[i - 1]) result.push([i, level])
  })
  return result
}

const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length

/**
 * Standard deviation of the sample-to-sample noise: of first differences over √2, so that slow curves do not count.
 * Values of `idle` and more are manoeuvres, not noise.
 */
function noise(values: readonly number[], from: number, to: number, idle = Infinity): number {
  const squares: number[] = []
  for (let i = from + 1; i < to; i++) {
    if (Math.abs(values[i]) >= idle || Math.abs(values[i - 1]) >= idle) continue
    squares.push((values[i] - values[i - 1]) ** 2 / 2)
  }
  return Math.sqrt(mean(squares))
}

const real = record()

describe('levels of the dive', () => {
  it('come in the recorded order at the recorded rows', () => {
    expect(runs(record({ labelNoise: 0 }).levels)).toEqual([
      [0, 2],
      [102, 0],
      [147, 1],
      [189, 0],
      [459, 2],
      [3848, 0],
      [10551, 2],
      [15458, 0],
      [18949, 1],
      [29720, 2],
      [29817, 1],
    ])
  })

  it('are nearly as frequent as in the recording', () => {
    const counts = [0, 1, 2].map((level) => real.levels.filter((l) => l === level).length)
    expect(Math.abs(counts[0] - 10512)).toBeLessThan(60)
    expect(Math.abs(counts[1] - 10985)).toBeLessThan(60)
    expect(Math.abs(counts[2] - 8503)).toBeLessThan(60)
  })

  it('carry about 96 wrong labels, each alone, none before every level has been seen', () => {
    const truth = record({ labelNoise: 0 }).levels
    let total = 0
    for (const seed of [1, 2, 3, 4]) {
      const { levels } = record({ seed })
      const wrong = truth.map((_, i) => i).filter((i) => levels[i] !== truth[i])
      total += wrong.length
      expect(wrong[0]).toBeGreaterThanOrEqual(189)
      for (let i = 1; i < wrong.length; i++) expect(wrong[i] - wrong[i - 1]).toBeGreaterThan(1)
    }
    // The sum of four is Poisson-like with mean 382 and deviation 19.5: four deviations.
    expect(Math.abs(total - 382)).toBeLessThan(78)
  })

  it('hold so long that the last true label is right 99.3 % of the time', () => {
    const { levels } = real
    const kept = levels.filter((level, i) => i > 0 && level === levels[i - 1]).length
    expect(kept / levels.length).toBeGreaterThan(0.991)
    expect(kept / levels.length).toBeLessThan(0.995)
  })

  it('stretch with the number of samples', () => {
    expect(runs(record({ labelNoise: 0, samples: 3000 }).levels)).toEqual([
      [0, 2],
      [10, 0],
      [15, 1],
      [19, 0],
      [46, 2],
      [385, 0],
      [1055, 2],
      [1546, 0],
      [1895, 1],
      [2972, 2],
      [2982, 1],
    ])
    for (const samples of [1, 7, 500]) expect(record({ samples }).levels).toHaveLength(samples)
  })
})

describe('noise of the dive', () => {
  // Channel, rows, and the deviation measured on the recording; idle thrust only where a limit is given.
  const table: [DiveChannel, number, number, number, number?][] = [
    ['bow_velocity', 3900, 8100, 0.016],
    ['roll_velocity', 3900, 8100, 0.02],
    ['thrust_x', 3900, 8100, 0.02],
    ['moment_y', 3900, 8100, 0.02],
    ['oxygen', 3900, 8100, 0.025],
    ['carbon_dioxide', 3900, 8100, 0.016],
    ['cabin_pressure', 3900, 4090, 0.022],
    ['cabin_temperature', 3900, 8100, 0.02],
    ['cabin_humidity', 3900, 8100, 0.09],
    ['bow_velocity', 10700, 15400, 0.28],
    ['pitch_velocity', 10700, 15400, 0.26],
    ['thrust_z', 10700, 15400, 0.5, 5],
    ['moment_y', 10700, 15400, 0.5, 5],
    ['moment_z', 10700, 15400, 0.55, 5],
    ['roll_velocity', 10700, 15400, 0.034],
    ['thrust_x', 10700, 15400, 0.034, 5],
    ['emergency_hydraulic_pressure', 10700, 15400, 0.034],
    ['carbon_dioxide', 10700, 15400, 0.027],
    ['oxygen', 19000, 29700, 0.28],
    ['carbon_dioxide', 19000, 29700, 0.053],
    ['cabin_pressure', 19000, 29700, 0.3],
    ['cabin_temperature', 19000, 29700, 0.35],
    ['cabin_humidity', 19000, 29700, 0.29],
    ['bow_velocity', 19000, 29700, 0.02],
  ]

  for (const [channel, from, to, expected, idle] of table) {
    it(`of ${channel} in rows ${from} to ${to} is ${expected} within 25 %`, () => {
      const measured = noise(real.column(channel), from, to, idle)
      expect(measured / expected).toBeGreaterThan(0.75)
      expect(measured / expected).toBeLessThan(1.25)
    })
  }

  it('lets the jitter of attitude be 0.2 to 0.4 in level III and next to nothing while sitting still', () => {
    for (const channel of ['roll_angle', 'pitch_angle', 'yaw_angle'] as const) {
      expect(noise(real.column(channel), 14500, 15400)).toBeGreaterThan(0.2)
      expect(noise(real.column(channel), 14500, 15400)).toBeLessThan(0.5)
      expect(noise(real.column(channel), 15500, 17200)).toBeLessThan(0.025)
    }
  })

  it('shows the levels in proportion to sharpness', () => {
    const bow = (sharpness: number) => noise(record({ sharpness }).column('bow_velocity'), 10700, 15400)
    expect(bow(0)).toBeLessThan(0.02)
    expect(bow(2)).toBeGreaterThan(0.5)
  })

  it('does not change when the label turns at row 3848', () => {
    for (const channel of ['bow_velocity', 'oxygen', 'cabin_temperature', 'thrust_z'] as const) {
      const column = real.column(channel)
      const ratio = noise(column, 3850, 4090) / noise(column, 3600, 3846)
      expect(ratio).toBeGreaterThan(0.7)
      expect(ratio).toBeLessThan(1.4)
    }
  })
})

describe('course of the dive', () => {
  const at = (channel: DiveChannel, row: number): number => mean(real.column(channel).slice(row - 3, row + 4))

  it('goes down and up again as recorded', () => {
    expect(at('depth', 2000)).toBeCloseTo(2.5, 1)
    expect(Math.abs(at('depth', 3814) - 323)).toBeLessThan(2)
    expect((at('depth', 7000) - at('depth', 4400)) / 2600).toBeCloseTo(0.57, 1)
    expect(Math.abs(at('depth', 7630) - 2495)).toBeLessThan(2)
    expect(at('depth', 16000)).toBeCloseTo(2952.92, 1)
    expect(Math.abs(at('depth', 29990) - 2528)).toBeLessThan(2)
    expect(Math.max(...real.column('depth'))).toBeLessThan(3015)
  })

  it('starts with every instrument but those of the cabin at 0', () => {
    for (const channel of ['depth', 'yaw_angle', 'temperature', 'velocity', 'salinity', 'backup_2'] as const) {
      expect(Math.max(...real.column(channel).slice(0, 30).map(Math.abs))).toBeLessThan(0.1)
    }
    expect(at('cabin_pressure', 15)).toBeGreaterThan(40)
    expect(at('cabin_pressure', 15)).toBeLessThan(60)
  })

  it('turns level III into I when the oxygen passes 17.1', () => {
    expect(at('oxygen', 98)).toBeLessThan(17.1)
    expect(at('oxygen', 106)).toBeGreaterThan(17.1)
  })

  it('has the fault near the end and the oxygen ramp near row 14,700', () => {
    const lowest = (channel: DiveChannel, from: number, to: number) => Math.min(...real.column(channel).slice(from, to))
    expect(Math.abs(lowest('cabin_pressure', 29720, 29760) - 67)).toBeLessThan(2)
    expect(Math.abs(lowest('cabin_temperature', 29720, 29760) - 9)).toBeLessThan(2)
    expect(Math.abs(lowest('cabin_humidity', 29720, 29760) - 36)).toBeLessThan(2)
    expect(Math.abs(lowest('oxygen', 29720, 29817) - 5)).toBeLessThan(1.5)
    expect(Math.abs(lowest('oxygen', 14650, 14800) - 9)).toBeLessThan(1)
    expect(at('oxygen', 14740)).toBeGreaterThan(19.5)
  })

  it('stays within what the recording showed', () => {
    const range = (channel: DiveChannel) => {
      const column = real.column(channel)
      return [Math.min(...column), Math.max(...column)]
    }
    const limits: [DiveChannel, number, number][] = [
      ['yaw_angle', -0.1, 360],
      ['thrust_x', -2400, 2900],
      ['thrust_y', -1300, 800],
      ['thrust_z', -2300, 1500],
      ['moment_x', -0.3, 0.3],
      ['moment_z', -6000, 6000],
      ['salinity', -0.1, 7],
    ]
    for (const [channel, low, high] of limits) {
      expect(range(channel)[0]).toBeGreaterThan(low)
      expect(range(channel)[1]).toBeLessThan(high)
    }
    expect(Math.min(...real.column('carbon_dioxide').slice(19000, 29700))).toBeLessThan(0)
  })
})

describe('the stream', () => {
  const bytes = (options: DiveOptions): string => {
    const all: number[] = []
    for (const { x, level } of dive(options)) all.push(...x, level)
    return Buffer.from(new Float64Array(all).buffer).toString('base64')
  }

  it('has the same bytes for the same seed, others for another', () => {
    expect(bytes({ seed: 5, samples: 2000 })).toBe(bytes({ seed: 5, samples: 2000 }))
    expect(bytes({ seed: 5, samples: 2000 })).not.toBe(bytes({ seed: 6, samples: 2000 }))
  })

  it('can be read again, and by two at a time', () => {
    const stream = dive({ samples: 300 })
    const first = [...stream].length
    const a = stream[Symbol.iterator]()
    const b = stream[Symbol.iterator]()
    for (let i = 0; i < 300; i++) {
      const left = a.next().value
      const right = b.next().value
      expect(left).not.toBe(right)
      expect(left.x).toEqual(right.x)
    }
    expect(first).toBe(300)
    expect(a.next().done).toBe(true)
    expect(a.next().done).toBe(true)
  })

  it('describes itself', () => {
    const { name, channels, levels, samples } = dive()
    expect([name, channels.length, channels[0], channels[23], samples]).toEqual([
      'dive',
      24,
      'roll_angle',
      'backup_3',
      30000,
    ])
    expect(levels).toEqual(['I safe', 'II mildly unsafe', 'III unsafe'])
  })

  it('gives a million samples in flat memory, one sample object for all', () => {
    const iterator = dive({ samples: 1_000_000 })[Symbol.iterator]()
    const sample = iterator.next().value
    for (let i = 1; i < 100_000; i++) iterator.next()
    const before = usedHeap()
    for (let i = 100_000; i < 1_000_000; i++) if (iterator.next().value !== sample) throw new Error('a new object')
    // A number kept of each sample would be 7.2 MB.
    expect(usedHeap() - before).toBeLessThan(4e6)
    expect(iterator.next().done).toBe(true)
  })

  it('refuses options it does not know or cannot use', () => {
    for (const options of [{ seeds: 1 }, { seed: -1 }, { samples: 0 }, { samples: 1.5 }, { labelNoise: 0.6 }]) {
      expect(() => dive(options as DiveOptions)).toThrow(OptionError)
    }
    expect(() => dive({ sharpness: Number.NaN })).toThrow('option sharpness is NaN')
  })
})
