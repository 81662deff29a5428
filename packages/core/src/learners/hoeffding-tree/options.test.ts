import { describe, expect, it } from 'vitest'
import { treeSettings } from './options.ts'

describe('the settings of a tree', () => {
  it('have as many nodes as 128 MiB of statistics hold, 65,535 at most, and no limit of depth', () => {
    // A leaf: weight and two counters, and for each level four numbers and five for each channel, of 8 bytes.
    const leaf = 8 * (3 + 20 * (4 + 5 * 1000))
    const { maxNodes, maxDepth } = treeSettings({ channels: 1000, levels: 20 })
    expect((maxNodes + 1) / 2).toBe(Math.floor(2 ** 27 / leaf))
    expect(maxDepth).toBe(Infinity)
    expect(treeSettings({ channels: 2, levels: 2 }).maxNodes).toBe(65_535)
    expect(treeSettings({ channels: 10_000, levels: 255 }).maxNodes).toBe(1)
    expect(treeSettings({ channels: 2, levels: 2, maxNodes: 7 }).maxNodes).toBe(7)
  })
})
