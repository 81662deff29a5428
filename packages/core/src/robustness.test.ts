import { describe, expect, it } from 'vitest'
import { createAssessor } from './methods.ts'
import { type PlantOptions, plant } from './streams/plant.ts'

// What docs/robustness.md defines. Every sample is labelled.

/** Methods with their options; PB-OEL as new systems of the service have it. */
const METHODS: Record<string, Record<string, unknown>> = {
  'pb-oel': { scaling: 'robust', edition: 2 },
  'pb-oel-plus': {},
}

/** Assessed levels and accuracies of the last half of a stream, by level. */
function play(method: string, options: PlantOptions, change = (x: Float64Array) => x, own = METHODS[method]) {
  const { samples = 600 } = options
  const stream = plant({ samples, channels: 6, seed: 2, ...options })
  const levels = stream.levels.length
  const [first] = stream
  const assessor = createAssessor(method, { channels: change(first.x).length, levels, seed: 1 }, own)
  const said: number[] = []
  const right = new Float64Array(levels)
  const seen = new Float64Array(levels)
  for (const { x, level } of stream) {
    const { id, level: assessed } = assessor.assess(change(x), 'full')
    assessor.learn(id, { kind: 'label', level })
    if (said.push(assessed) <= samples / 2) continue
    seen[level]++
    if (assessed === level) right[level]++
  }
  const sum = (counts: Float64Array) => counts.reduce((a, b) => a + b, 0)
  return { said, accuracy: sum(right) / sum(seen), recall: Array.from(right, (n, level) => n / seen[level]), seen }
}

/** A sample with one more channel. */
const with1 = (value: number) => (x: Float64Array) => Float64Array.of(...x, value)

describe.each(Object.keys(METHODS))('%s on awkward data', (method) => {
  const plain = play(method, {})

  it.each([1e-6, 1e6])('has the same accuracy within 0.02 when all channels are measured in units of %d', (unit) => {
    const { accuracy } = play(method, {}, (x) => x.map((value) => value * unit))
    expect(Math.abs(accuracy - plain.accuracy)).toBeLessThan(0.02)
  })

  it('loses at most 0.05 when scales reach from 1e-6 to 1e6', () => {
    expect(play(method, { spread: 12 }).accuracy).toBeGreaterThan(plain.accuracy - 0.05)
  })

  it('says the same whatever the value of a constant channel', () => {
    const { said } = play(method, {}, with1(0))
    expect(play(method, {}, with1(1e6)).said).toEqual(said)
    expect(play(method, {}, with1(-3.7)).said).toEqual(said)
  })

  it('loses at most 0.2 when a third of the channels die, and at most 0.1 when a tenth of the values is held', () => {
    expect(play(method, { dead: 2 }).accuracy).toBeGreaterThan(plain.accuracy - 0.2)
    expect(play(method, { held: 0.1 }).accuracy).toBeGreaterThan(plain.accuracy - 0.1)
  })

  it('learns a level whose first sample comes half-way', () => {
    const { said, recall } = play(method, { samples: 1000, late: 0.5 })
    expect(said.slice(10, 500)).not.toContain(2)
    expect(recall[2]).toBeGreaterThan(0.7)
  })

  it('finds a level that is 1 : 1,000', () => {
    const { recall, seen } = play(method, { samples: 40_000, channels: 3, levels: 2, rare: 0.001 })
    expect(seen[0] / seen[1]).toBeGreaterThan(500)
    expect(recall[1]).toBeGreaterThan(0.5)
    expect(recall[0]).toBeGreaterThan(0.99)
  })

  it.each([
    [1, 2, 0.9],
    [1, 20, 0.3],
    [20, 2, 0.9],
    [500, 3, 0.6],
    [20, 20, 0.5],
  ])(
    'learns with %i channels and %i levels',
    (channels, levels, least) => {
      expect(play(method, { samples: 800, channels, levels }).accuracy).toBeGreaterThan(least)
    },
    60_000,
  )
})

describe('pb-oel as the paper has it', () => {
  it('loses channels whose deviation is far below 0.01, which its scaling adds to every deviation', () => {
    const inUnits = (unit: number) => play('pb-oel', {}, (x) => x.map((value) => value * unit), {}).accuracy
    expect(inUnits(1e-6)).toBeLessThan(inUnits(1) - 0.3)
  })
})
