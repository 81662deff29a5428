import { describe, expect, it } from 'vitest'
import { Random } from '../../math/random.ts'
import { readOptions } from '../../options/option-table.ts'
import { flipStream } from '../../rivals/testing/flip.ts'
import { HoeffdingTree } from '../hoeffding-tree/hoeffding-tree.ts'
import { argmax } from '../learner.ts'
import {
  AdaptiveTrees,
  type AdaptiveTreesOptions,
  type AdaptiveTreesPlan,
  detectorOptions,
  TREES_OPTIONS,
} from './adaptive-trees.ts'

const TABLE = { ...TREES_OPTIONS, ...detectorOptions(0.001, 0.01) }

function makePlan(members: number, plan: Partial<AdaptiveTreesPlan> = {}): AdaptiveTreesPlan {
  return {
    subspaces: Array.from({ length: members }, () => new Int32Array(0)),
    resample: false,
    judgeAfter: false,
    repeat: false,
    ...plan,
  }
}

function makeTrees(options: Partial<AdaptiveTreesOptions>, plan: Partial<AdaptiveTreesPlan> = {}): AdaptiveTrees {
  const settings = readOptions(TABLE, { channels: 2, levels: 2, ...options })
  return new AdaptiveTrees(settings, makePlan(settings.members, plan))
}

describe('AdaptiveTrees', () => {
  it('is a single Hoeffding tree with one member, no resampling and no detectors', () => {
    const trees = makeTrees({ members: 1, driftDetection: false })
    const tree = new HoeffdingTree({ channels: 2, levels: 2, gracePeriod: 50, splitConfidence: 0.01 })
    const one = new Float64Array(2)
    const other = new Float64Array(2)
    const votes = new Int32Array(1)
    const drifts = new Uint8Array(1)
    for (const { x, level } of flipStream(2500, 1500)) {
      trees.predict(x, one, votes)
      tree.predict(x, other)
      expect(one[0]).toBeCloseTo(other[0], 14)
      expect(votes[0]).toBe(argmax(other))
      trees.learn(x, level, drifts)
      tree.learn(x, level)
    }
    expect(drifts[0]).toBe(0)
    expect(tree.nodeCount).toBeGreaterThan(5)
  })

  it('learns the same whether or not the sample was predicted just before', () => {
    const asked = makeTrees({ members: 3 }, { resample: true })
    const silent = makeTrees({ members: 3 }, { resample: true })
    const out = new Float64Array(2)
    const votes = new Int32Array(3)
    const drifts = [new Uint8Array(3), new Uint8Array(3)]
    let i = 0
    for (const { x, level } of flipStream(1600, 800)) {
      if (i++ % 3 > 0) asked.predict(x, out, votes)
      asked.learn(x, level, drifts[0])
      silent.learn(x, level, drifts[1])
    }
    expect(drifts[0]).toEqual(drifts[1])
    expect(drifts[0]).toContain(1)
    const other = new Float64Array(2)
    for (const { x } of flipStream(50, 0, 9)) {
      asked.predict(x, out, votes)
      silent.predict(x, other, votes)
      expect(other).toEqual(out)
    }
  })

  it('the tree that takes over at drift is the one that has learned in the background', () => {
    /** What the only member says just after its first replacement. */
    const takeover = (background: boolean) => {
      // The warning comes long before the drift, so that there is something to learn in between.
      const trees = makeTrees({ members: 1, background, warningDelta: 0.2, driftDelta: 1e-12 })
      const [out, votes, drifts] = [new Float64Array(2), new Int32Array(1), new Uint8Array(1)]
      const stream = [...flipStream(3000, 1500)]
      const at = stream.findIndex(({ x, level }) => {
        trees.predict(x, out, votes)
        trees.learn(x, level, drifts)
        return drifts[0] === 1
      })
      expect(at).toBeGreaterThan(1500)
      trees.predict(stream[at + 1].x, out, votes)
      return Array.from(out)
    }
    expect(takeover(false)).toEqual([0.5, 0.5])
    expect(takeover(true)).not.toEqual([0.5, 0.5])
  })

  it('draws other channels in each tree; scikit-multiflow the same in all', () => {
    const differences = (compat: 'canonical' | 'skm') => {
      // One channel of two in each leaf and no resampling: trees differ by their draws only.
      const trees = makeTrees({ members: 6, compat, driftDetection: false }, { leafFeatures: 1 })
      const votes = new Int32Array(6)
      let count = 0
      for (const { x, level } of flipStream(1000, 1000)) {
        trees.predict(x, new Float64Array(2), votes)
        if (new Set(votes).size > 1) count++
        trees.learn(x, level, new Uint8Array(6))
      }
      return count
    }
    expect(differences('canonical')).toBeGreaterThan(100)
    expect(differences('skm')).toBe(0)
  })

  it('takes errors that become rare for drift only where the libraries do', () => {
    const random = new Random(6, 'improving')
    const samples = Array.from({ length: 6000 }, (_, i) => {
      const x = Float64Array.of(random.between(-1, 1), random.between(-1, 1))
      return { x, level: i < 2000 ? random.integer(2) : x[0] > 0 ? 1 : 0 }
    })
    const replaced = (compat: 'canonical' | 'skm' | 'river') => {
      const trees = makeTrees({ members: 5, compat }, { resample: true, judgeAfter: compat === 'skm' })
      let count = 0
      for (const { x, level } of samples) {
        const drifts = new Uint8Array(5)
        trees.learn(x, level, drifts)
        count += drifts.reduce((sum, flag) => sum + flag, 0)
      }
      return count
    }
    expect(replaced('canonical')).toBeLessThanOrEqual(1)
    expect(replaced('river')).toBeGreaterThanOrEqual(5)
    expect(replaced('skm')).toBeGreaterThanOrEqual(5)
  })
})
