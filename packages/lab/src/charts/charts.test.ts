import { METHODS } from '@pb-oel/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accuracyTables } from '../analysis/accuracy-table.ts'
import { landscapes } from '../analysis/landscape.ts'
import { madeUpResult, tableResults } from '../testing/results.ts'
import { cliques, criticalDifferenceDiagram } from './critical-difference.ts'
import { errorAxis, errorScale } from './error-scale.ts'
import { accuracyOverRho, accuracyOverTime, boundOverTime, methodPanels } from './figures.ts'
import { heatMap } from './heat-map.ts'
import { spreadLabels } from './labels.ts'
import { linearAxis } from './linear-axis.ts'
import { looks } from './look.ts'
import { escapeText, gridOf, size, toPng } from './svg.ts'

describe('labels', () => {
  it('keep their order, their distance and their frame, and stay where they are when there is room', () => {
    expect(spreadLabels([10, 50, 90], 12, 0, 100)).toEqual([10, 50, 90])
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 200, noNaN: true }), { minLength: 1, maxLength: 15 }), (places) => {
        const spread = spreadLabels(places, 12, 0, 200)
        const sorted = places.map((place, i) => ({ place, to: spread[i] })).sort((a, b) => a.to - b.to)
        sorted.forEach(({ place, to }, i) => {
          expect(to).toBeGreaterThanOrEqual(-1e-9)
          expect(to).toBeLessThanOrEqual(200 + 1e-9)
          if (i === 0) return
          expect(to - sorted[i - 1].to).toBeGreaterThanOrEqual(12 - 1e-9)
          expect(place).toBeGreaterThanOrEqual(sorted[i - 1].place)
        })
      }),
    )
  })
})

describe('the axis of accuracies', () => {
  it('is logarithmic in the error and says the accuracy', () => {
    expect(errorScale(0.9)).toBeCloseTo(1, 12)
    expect(errorScale(0.99)).toBeCloseTo(2, 12)
    expect(errorScale(1)).toBeLessThan(4)
    const { domain, ticks, format } = errorAxis(0.65, 0.985)
    expect(domain).toEqual([errorScale(0.6), errorScale(0.99)])
    expect(ticks.map(format)).toEqual(['0.99', '0.98', '0.95', '0.9', '0.8', '0.7', '0.6'])
    // The lowest ones would touch on a long axis.
    const long = errorAxis(0, 0.999)
    expect(long.ticks.map(long.format)).toEqual([
      '0.999',
      '0.998',
      '0.995',
      '0.99',
      '0.98',
      '0.95',
      '0.9',
      '0.8',
      '0.6',
      '0.2',
    ])
  })
})

describe('looks', () => {
  it('differ in colour, dashes or width for every method of the paper and for many others', () => {
    const labels = [
      'pb-oel',
      'pb-oel-plus',
      'rvfl',
      'rvfl-hddm-np',
      'ob-adwin',
      'oadac2',
      'cpssds',
      'arf',
      'srp',
      'roale-di',
      'no-change',
      'majority',
      'flip',
    ]
    const mine = Array.from({ length: 12 }, (_, i) => `mine c=${i}`)
    const look = looks([...labels, ...mine])
    expect(new Set(labels.map((label) => JSON.stringify(look(label)))).size).toBe(labels.length)
    expect(new Set(mine.map((label) => JSON.stringify(look(label)))).size).toBe(mine.length)
  })
})

/** CIE L*a*b* of a colour, in which distances are what people see. */
function lab(colour: string): number[] {
  const [r, g, b] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
  const f = (t: number) => (t > 216 / 24389 ? Math.cbrt(t) : (t * 24389) / 27 / 116 + 16 / 116)
  const [x, y, z] = [
    f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505),
    f(0.2126 * r + 0.7152 * g + 0.0722 * b),
    f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089),
  ]
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

describe('hues', () => {
  it('of the twelve methods are far apart', () => {
    const methods = METHODS.filter(({ role }) => role !== 'baseline').map(({ name }) => name)
    expect(methods).toHaveLength(12)
    const colours = methods.map((name) => lab(looks(methods)(name).colour))
    for (const [i, a] of colours.entries()) {
      for (const [j, b] of colours.entries()) {
        if (i < j) expect(Math.hypot(...a.map((v, k) => v - b[k])), `${methods[i]} ${methods[j]}`).toBeGreaterThan(20)
      }
    }
  })
})

describe('values', () => {
  const [table] = accuracyTables(tableResults('dive', [0, 0.1, 1], { 'pb-oel': [0.9, 0.95, 0.97], srp: [0.3, 0.9, 1] }))

  it('show when a point is pointed at', () => {
    expect(accuracyOverRho(table)).toMatch(/<title>PB-OEL at 0\.1: 0\.9500/)
    expect(accuracyOverTime(table, 0.1, 'accuracy')).toMatch(/<title>SRP at [\d,]+: 0\.\d{4}/)
  })

  it('of the paper stand beside ours, one panel per method, and only there', () => {
    const [own, srp] = methodPanels(table, true)
    expect(own.match(/<title>paper: PB-OEL at [\d.]+: ([\d.]+)/g)).toHaveLength(3)
    expect(own).toContain('<title>paper: PB-OEL at 0: 0.957</title>')
    expect(own).not.toContain('SRP')
    expect(srp).toContain('<title>paper: SRP at 1: 0.988</title>')
    expect(methodPanels(table, false).join('')).not.toContain('paper')
    expect(accuracyOverTime(table, 0.1, 'accuracy', true)).toContain('<title>paper: PB-OEL at')
    expect(accuracyOverTime(table, 0.1, 'window', true)).not.toContain('paper')
  })
})

describe('critical difference', () => {
  it('joins what lies within it, and no bar lies inside another', () => {
    expect(cliques([1, 2, 3.5, 5], 1.6)).toEqual([
      [1, 2],
      [2, 3.5],
      [3.5, 5],
    ])
    expect(cliques([1, 1.5, 2, 6], 2)).toEqual([[1, 2]])
    expect(cliques([1, 4, 8], 1)).toEqual([])
  })
})

describe('drawings', () => {
  const rhos = [0, 0.1, 1]
  const results = tableResults('a <dive> & "more"', rhos, {
    'pb-oel': [0.9, 0.95, 0.97],
    srp: [0.3, 0.9, 0.999],
    majority: [0.4, 0.4, 0.4],
  })
  const [table] = accuracyTables(results)
  const points = [0.1, 10].flatMap((c) =>
    [0, 0.8].map((alpha) => madeUpResult({ accuracy: 0.5 + alpha / 3, variant: { c, alpha } })),
  )
  const comparison = {
    methods: ['pb-oel', 'srp', 'arf'],
    streams: ['a', 'b'],
    ranks: [1, 2.5, 2.5],
    criticalDifference: 1.2,
    blocks: 2,
    chiSquared: 1,
    pValue: 1,
    f: 1,
    fPValue: 1,
  }
  const drawings: [string, string, string[]][] = [
    ['accuracy over ρ', accuracyOverRho(table), ['PB-OEL', 'SRP', 'majority', '0.1', escapeText('a <dive> & "more"')]],
    ['accuracy over time', accuracyOverTime(table, 0.1, 'accuracy'), ['PB-OEL', 'ρ = 0.1', 'samples']],
    [
      'bounds',
      boundOverTime(results.filter(({ label, job }) => label === 'pb-oel' && job.rho === 0)),
      ['ultimate bound', 'best expert', 'guaranteed'],
    ],
    ['landscape', heatMap(landscapes(points)[0], [0.5, 0.8]), ['.767', '.500', 'ρ = 0', 'restart exponent']],
    [
      'critical difference',
      criticalDifferenceDiagram(comparison),
      ['PB-OEL 1.00'.split(' ')[0], 'critical difference 1.20'],
    ],
  ]

  it.each(drawings)('%s: names what it shows, is well formed and becomes a picture', (_name, svg, texts) => {
    for (const text of texts) expect(svg).toContain(text)
    expect(svg).not.toMatch(/NaN|undefined|Infinity/)
    expect(svg).not.toMatch(/(?:href|src|url\()=?["']?http/)
    const png = toPng(svg)
    expect([...png.slice(1, 4)]).toEqual([...new TextEncoder().encode('PNG')])
    const { width, height } = size(svg)
    const view = new DataView(png.buffer, png.byteOffset)
    expect([view.getUint32(16), view.getUint32(20)]).toEqual([2 * width, 2 * height])
  })

  it('is the same every time', () => {
    expect(accuracyOverRho(table)).toBe(drawings[0][1])
  })

  it('can be laid out in a grid', () => {
    const [a, b, c] = drawings.map(([, svg]) => svg)
    const grid = gridOf([b, b, b], 2)
    expect(size(grid)).toEqual({ width: 2 * size(b).width, height: 2 * size(b).height })
    expect(toPng(gridOf([a, b, c], 3)).length).toBeGreaterThan(1000)
  })
})

describe('even axes', () => {
  it('cover their values with a few round ticks', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -10, max: 10, noNaN: true }),
        fc.double({ min: 1e-6, max: 100, noNaN: true }),
        (low, spread) => {
          const { domain, ticks } = linearAxis(low, low + spread)
          expect(domain[0]).toBeLessThanOrEqual(low + 1e-6 * spread)
          expect(domain[1]).toBeGreaterThanOrEqual(low + spread - 1e-6 * spread)
          expect(ticks.length).toBeGreaterThanOrEqual(2)
          expect(ticks.length).toBeLessThanOrEqual(8)
        },
      ),
    )
  })

  it('name ticks with the digits they need', () => {
    const { ticks, format } = linearAxis(-0.002, 0.0071)
    expect(ticks.map(format)).toEqual(['−0.002', '0.000', '0.002', '0.004', '0.006', '0.008'])
    expect(linearAxis(0.5, 0.5).ticks.length).toBeGreaterThanOrEqual(2)
  })
})
