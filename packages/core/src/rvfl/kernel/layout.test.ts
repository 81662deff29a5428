import { describe, expect, it } from 'vitest'
import { arenaLayout, factorIndex } from './layout.ts'
import { shapeOf } from './testing/random-kernel.ts'

describe('arenaLayout', () => {
  it('starts every part on a cache line, one after the other', () => {
    for (const [channels, nodes] of [
      [24, 100],
      [7, 0],
      [5, 9],
      [1, 1],
    ]) {
      const layout = arenaLayout(shapeOf({ experts: 3, channels, nodes, levels: 3 }))
      const { sample, outputs, targets, experts, stride } = layout
      const { inputWeights, features, gain, diagonal, outputWeights, factor } = layout
      const global = [0, sample, outputs, targets, experts, layout.length]
      const local = [inputWeights, features, gain, diagonal, outputWeights, factor, stride]
      for (const at of [...global, ...local]) expect(at % 8).toBe(0)
      for (const parts of [global, local.slice(1)]) expect([...parts].sort((a, b) => a - b)).toEqual(parts)
      expect(layout.width - layout.size).toBeLessThan(4)
      expect(gain - features).toBeGreaterThanOrEqual(channels + 8 * Math.ceil(nodes / 8))
    }
  })

  it('is what its description says', () => {
    const shape = shapeOf({ experts: 3, channels: 5, nodes: 9, levels: 3 })
    // 32 numbers reserved, 5, 9 and 9 numbers on lines of 8; two panels of nodes with 1 + 6 rows of 8.
    expect(arenaLayout(shape)).toEqual({
      ...{ size: 14, width: 16, channelRows: 6, lanes: 2, line: 8, nodePanels: 2 },
      ...{ sample: 32, outputs: 40, targets: 56, experts: 72 },
      // The features reach to 5 + 2 · 8 = 21; then 16, 16 and 3 · 16 numbers, and panels of 4 · 4 · (1 + … + 4).
      ...{ inputWeights: 0, features: 112, gain: 136, diagonal: 152, outputWeights: 168, factor: 216, stride: 376 },
      ...{ stateLength: 376 - 152, length: 72 + 3 * 376 },
    })
    expect(arenaLayout(shape, 'single')).toEqual({
      ...{ size: 14, width: 16, channelRows: 6, lanes: 4, line: 16, nodePanels: 1 },
      ...{ sample: 64, outputs: 80, targets: 96, experts: 112 },
      ...{ inputWeights: 0, features: 112, gain: 144, diagonal: 160, outputWeights: 176, factor: 224, stride: 384 },
      ...{ stateLength: 384 - 160, length: 112 + 3 * 384 },
    })
  })

  it('needs for the paper’s network what its triangle needs, and 3 % more', () => {
    const { stride, factor } = arenaLayout(shapeOf({ channels: 24, nodes: 100, levels: 3 }))
    expect(stride - factor).toBe(7936)
    expect(7936 / ((124 * 125) / 2)).toBeLessThan(1.03)
  })
})

describe('factorIndex', () => {
  it('gives every entry of the upper triangle and of the diagonal blocks its own place', () => {
    const places = new Set<number>()
    for (let column = 0; column < 12; column++) {
      for (let row = 0; row <= (column | 3); row++) places.add(factorIndex(row, column, 2))
    }
    expect([...places].sort((a, b) => a - b)).toEqual(Array.from({ length: 8 * 3 * 4 }, (_, i) => i))
  })

  it('keeps four rows of four columns in a line in single precision', () => {
    const line = [4, 5, 6, 7].flatMap((column) => [0, 1, 2, 3].map((row) => factorIndex(row, column, 4)))
    expect(line).toEqual(Array.from({ length: 16 }, (_, i) => 16 + i))
  })

  it('keeps two rows of four columns in a line', () => {
    const line = [4, 5, 6, 7].flatMap((column) => [factorIndex(2, column, 2), factorIndex(3, column, 2)])
    expect(line).toEqual([24, 25, 26, 27, 28, 29, 30, 31])
  })
})
