import { describe, expect, it } from 'vitest'
import { Adwin } from '../../drift/adwin.ts'
import { drawSubset } from '../../math/draws.ts'
import { Poisson } from '../../math/poisson.ts'
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
  treeOptions,
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

/** Three channels: those of the flip stream and their difference. The levels are turned round every 150 samples. */
const restless = Array.from(flipStream(900, 900), ({ x: [a, b], level }, t) => ({
  x: Float64Array.of(a, b, a - b),
  level: Math.floor(t / 150) % 2 === 0 ? level : 1 - level,
}))

/** Adaptive Random Forest and Streaming Random Patches written out, as the papers and libraries have them. */
function writtenOut(options: Required<Pick<AdaptiveTreesOptions, WrittenOption>>, plan: AdaptiveTreesPlan) {
  const { seed, members: count, lambda, driftDelta, warningDelta, compat } = options
  const [poisson, bagging] = [new Poisson(lambda), new Random(seed, 'bagging')]
  const adwin = (delta: number) => new Adwin({ delta, compat, sides: compat === 'canonical' ? 'increase' : 'both' })
  const made = new Int32Array(count)
  const plant = (i: number, channels: Int32Array) => {
    const stream = compat === 'skm' ? 'tree' : `tree ${i}.${made[i]++}`
    const shape = { channels: channels.length || 3, levels: 2, features: plan.leafFeatures }
    const tree = new HoeffdingTree(
      { ...shape, gracePeriod: 50, splitConfidence: 0.01, compat },
      new Random(seed, stream),
    )
    const seen = (x: Float64Array) => (channels.length === 0 ? x : Float64Array.from(channels, (channel) => x[channel]))
    return {
      vote(x: Float64Array) {
        const shares = new Float64Array(2)
        return tree.vote(seen(x), shares) ? shares : undefined
      },
      learn(x: Float64Array, level: number, weight: number) {
        if (!plan.repeat) tree.learn(seen(x), level, weight)
        else for (let k = 0; k < weight; k++) tree.learn(seen(x), level)
      },
    }
  }
  const members = plan.subspaces.map((channels, i) => ({
    tree: plant(i, channels),
    background: undefined as ReturnType<typeof plant> | undefined,
    right: 0,
    seen: 0,
    warning: adwin(warningDelta),
    drift: adwin(driftDelta),
    draws: new Random(seed, `subspace ${i}`),
  }))
  const favourite = (shares: Float64Array | undefined) => (shares ? argmax(shares) : 0)
  const fresh = (i: number) => {
    const channels = new Int32Array(plan.subspaces[i].length)
    drawSubset(members[i].draws, 3, channels.length, channels)
    return plant(i, channels)
  }
  return {
    predict(x: Float64Array): Float64Array {
      const votes = members.flatMap((member) => {
        const shares = member.tree.vote(x)
        return shares ? [{ shares, weight: member.right / member.seen || 1 }] : []
      })
      const sum = votes.reduce((total, { weight }) => total + weight, 0)
      return Float64Array.from([0, 1], (c) =>
        sum === 0 ? 0.5 : votes.reduce((total, { shares, weight }) => total + weight * shares[c], 0) / sum,
      )
    },
    learn(x: Float64Array, level: number): string[] {
      return members.flatMap((member, i) => {
        const before = favourite(member.tree.vote(x))
        member.seen++
        if (before === level) member.right++
        const weight = poisson.draw(bagging)
        if (weight === 0) return []
        member.tree.learn(x, level, weight)
        member.background?.learn(x, level, weight)
        const error = (plan.judgeAfter ? favourite(member.tree.vote(x)) : before) === level ? 0 : 1
        if (member.warning.update(error) === 'drift') {
          member.background = fresh(i)
          member.warning = adwin(warningDelta)
        }
        if (member.drift.update(error) !== 'drift') return []
        const how = member.background ? 'taken over' : 'begun anew'
        if (member.background) member.warning = adwin(warningDelta)
        member.tree = member.background ?? fresh(i)
        member.background = undefined
        member.drift = adwin(driftDelta)
        member.right = member.seen = 0
        return [`${i} ${how}`]
      })
    },
  }
}

type WrittenOption = 'seed' | 'members' | 'lambda' | 'driftDelta' | 'warningDelta' | 'compat'

describe('AdaptiveTrees', () => {
  it.each<[string, Partial<AdaptiveTreesPlan>, AdaptiveTreesOptions['compat']]>([
    ['each leaf looking at one channel', { leafFeatures: 1 }, 'canonical'],
    ['each tree seeing two channels', { subspaces: [0, 1, 2].map((i) => Int32Array.of(i, (i + 1) % 3)) }, 'canonical'],
    ['as scikit-multiflow', { leafFeatures: 1, judgeAfter: true }, 'skm'],
    ['as River', { leafFeatures: 1, repeat: true, judgeAfter: true }, 'river'],
  ])('does as the algorithm written out: votes, weights and replacements, %s', (_, given, compat = 'canonical') => {
    const plan = makePlan(3, { resample: true, ...given })
    // With the larger number first drift comes without a warning before it.
    for (const [driftDelta, warningDelta] of [
      [0.1, 0.9],
      [0.9, 0.001],
    ]) {
      const options = { seed: 7, members: 3, lambda: 2, driftDelta, warningDelta, compat }
      const trees = new AdaptiveTrees(readOptions(TABLE, { channels: 3, levels: 2, ...options }), plan)
      const other = writtenOut(options, plan)
      const [out, votes] = [new Float64Array(2), new Int32Array(3)]
      const [told, found]: string[][] = [[], []]
      let furthest = 0
      restless.forEach(({ x, level }, t) => {
        trees.predict(x, out, votes)
        furthest = Math.max(furthest, Math.abs(out[0] - other.predict(x)[0]))
        const drifts = new Uint8Array(3)
        trees.learn(x, level, drifts)
        told.push(...Array.from(drifts.keys()).flatMap((i) => (drifts[i] === 1 ? [`${t} ${i}`] : [])))
        found.push(...other.learn(x, level).map((text) => `${t} ${text}`))
      })
      expect(furthest).toBeLessThan(1e-12)
      expect(told).toEqual(found.map((text) => text.replace(/ [a-z ]+$/, '')))
      const how = driftDelta < warningDelta ? 'taken over' : 'begun anew'
      expect(found.filter((text) => text.endsWith(how)).length).toBeGreaterThan(2)
    }
  })

  it('keep the statistics of all trees and those in the background within 512 MiB, or what a plan allows', () => {
    const settings = readOptions(TABLE, { channels: 100, levels: 10, members: 20 })
    const bytes = (plan: AdaptiveTreesPlan, features: number) => {
      const { maxNodes = 0 } = treeOptions(settings, plan)
      // A leaf: weight and two counters, and for each level four numbers and five for each channel it watches.
      return ((maxNodes + 1) / 2) * 8 * (3 + 10 * (4 + 5 * features)) * 2 * 20
    }
    for (const [plan, features, most] of [
      [makePlan(20), 100, 2 ** 29],
      [makePlan(20, { leafFeatures: 10 }), 10, 2 ** 29],
      [makePlan(20, { leafFeatures: 10, memory: 2 ** 24 }), 10, 2 ** 24],
    ] as const) {
      expect(bytes(plan, features)).toBeLessThanOrEqual(most)
      expect(bytes(plan, features)).toBeGreaterThan(0.9 * most)
    }
    expect(treeOptions({ ...settings, maxNodes: 77 }, makePlan(20)).maxNodes).toBe(77)
    expect(treeOptions(readOptions(TABLE, { channels: 1, levels: 2 }), makePlan(10)).maxNodes).toBe(65_535)
  })

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
