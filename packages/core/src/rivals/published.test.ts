import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it, vi } from 'vitest'
import * as draws from '../math/draws.ts'
import type { Random } from '../math/random.ts'
import { Cpssds } from './cpssds/cpssds.ts'
import { Oadac2 } from './oadac2/oadac2.ts'
import { RoaleDi } from './roale-di/roale-di.ts'
import { flipStream } from './testing/flip.ts'
import type { Sample } from './testing/play.ts'

// Random numbers differ from those of others, so both sides put the same even draws in their place.
vi.spyOn(draws, 'drawPoisson').mockImplementation((_: Random, mean: number) => Math.min(1 + Math.floor(mean), 4))
vi.spyOn(draws, 'drawSubset').mockImplementation((_, total, count, out) => {
  for (let i = 0; i < count; i++) out[i] = Math.floor((i * total) / count)
})
afterAll(() => vi.restoreAllMocks())

interface Blocks {
  levels: string
  blocks: { weights: number[]; margin: number; bought: number }[]
}

/** What others say of the same samples; bench/peers/published_rivals.py recorded it, and says how. */
const recorded = JSON.parse(readFileSync(new URL('./golden/published.json', import.meta.url), 'utf8')) as {
  from: number
  to: number
  oadac2: { levels: string; confidences: (number | null)[] }
  'roale-di': Record<'rare levels are asked about' | 'not', Blocks>
  cpssds: { levels: string; drifts: number[] }
}
const samples = [...flipStream(4000, 2000)].slice(recorded.from, recorded.to)
/** One label in seven is wrong. */
const two = samples.map(({ x, level }, i) => ({ x, level: i % 7 === 0 ? 1 - level : level }))
/** Level 2 is rare. */
const three = samples.map(({ x, level }) => ({ x, level: x[0] > 0.8 ? 2 : level }))
/** Two levels that the second channel tells apart. It is moved at 550, and for 100 samples level 1 does not appear. */
const moved = samples.map(({ x: [a, b] }, i) => ({
  x: Float64Array.of(a, b + (i < 550 ? 0 : 2)),
  level: b > 0 && (i < 550 || i >= 650) ? 1 : 0,
}))
const first = (stream: Sample[]) => stream.slice(0, 50).map(({ x, level }) => ({ x: [...x], level }))

/** The level of each sample, one digit each; `after` is told how many samples were learned. */
function levelsOf(
  assessor: Oadac2 | RoaleDi | Cpssds,
  stream: Sample[],
  after: (learned: number, drift: boolean) => void = () => {},
): string {
  return stream
    .map(({ x, level }, i) => {
      const assessment = assessor.assess(x, 'full')
      const { id, level: assessed, drifts } = assessment
      after(i, drifts.includes(1))
      assessor.learn(id, { kind: 'label', level })
      return assessed
    })
    .join('')
}

describe('beside scikit-multiflow and the published pseudo-code, with the same draws', () => {
  it('oadac2, compat skm, says the same of each sample, with the same confidence', () => {
    const { levels, confidences } = recorded.oadac2
    const assessor = new Oadac2({ channels: 2, levels: 2, epsilon: 0, base: 'naive-bayes', members: 4, compat: 'skm' })
    const off: number[] = []
    let said = ''
    two.forEach(({ x, level }, i) => {
      const { id, level: assessed, confidence } = assessor.assess(x, 'full')
      said += assessed
      const other = confidences[i]
      if (other !== null) off.push(Math.abs(confidence - other))
      assessor.learn(id, { kind: 'label', level })
    })
    expect(said).toBe(levels)
    expect(off.length).toBeGreaterThan(500)
    expect(Math.max(...off)).toBeLessThan(1e-9)
  })

  it.each([
    ['rare levels are asked about', 1],
    ['not', 0],
  ] as const)('roale-di has the same levels, weights, margin and labels bought (%s)', (name, imbalance) => {
    const { levels, blocks } = recorded['roale-di'][name]
    const assessor = new RoaleDi({ channels: 2, levels: 3, epsilon: 0, warmUp: first(three), imbalance })
    const met: Blocks['blocks'] = []
    const note = () =>
      met.push({ weights: [...assessor.weights], margin: assessor.marginThreshold, bought: assessor.bought })
    const said = levelsOf(assessor, three.slice(50), (learned) => {
      if (learned > 0 && learned % 150 === 0) note()
    })
    expect(said).toBe(levels)
    expect(met.map(({ bought }) => bought)).toEqual(blocks.map(({ bought }) => bought))
    met.forEach(({ weights, margin }, i) => {
      expect(margin).toBeCloseTo(blocks[i].margin, 12)
      expect(weights.length).toBe(blocks[i].weights.length)
      weights.forEach((weight, j) => {
        expect(weight).toBeCloseTo(blocks[i].weights[j], 12)
      })
    })
  })

  it('cpssds has the same levels, and starts afresh after the same chunks', () => {
    const { levels, drifts } = recorded.cpssds
    const met: number[] = []
    const assessor = new Cpssds({ channels: 2, levels: 2, epsilon: 0, warmUp: first(moved), chunk: 100 })
    const said = levelsOf(assessor, moved.slice(50, 1150), (learned, drift) => {
      if (drift) met.push(learned)
    })
    expect(said).toBe(levels)
    expect(met).toEqual([600])
    expect(met).toEqual(drifts)
  })
})
