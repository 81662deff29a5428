import { Adwin, type AdwinOptions } from '../../drift/adwin.ts'
import { drawSubset } from '../../math/draws.ts'
import { Poisson } from '../../math/poisson.ts'
import { Random } from '../../math/random.ts'
import { option } from '../../options/option.ts'
import type { OptionsOf, SettingsOf } from '../../options/option-table.ts'
import { SEED, SHAPE_OPTIONS } from '../../options/task-options.ts'
import type { Stateful, StateIo } from '../../state/state-io.ts'
import {
  GROWTH_OPTIONS,
  type HoeffdingTreeOptions,
  leafSize,
  type TreeGrowthOptions,
  treeSettings,
} from '../hoeffding-tree/options.ts'
import { SplitSearch } from '../hoeffding-tree/split-search.ts'
import { argmax } from '../learner.ts'
import { Patch } from './patch.ts'

/** Options shared by the ensembles of Hoeffding trees that replace a member when it drifts. */
export const TREES_OPTIONS = {
  ...SHAPE_OPTIONS,
  seed: SEED,
  ...GROWTH_OPTIONS,
  gracePeriod: { ...GROWTH_OPTIONS.gracePeriod, default: 50 },
  splitConfidence: { ...GROWTH_OPTIONS.splitConfidence, default: 0.01 },
  maxNodes: {
    ...GROWTH_OPTIONS.maxNodes,
    otherwise: 'as many as keep the whole ensemble within 512 MiB of statistics, 65,535 at most',
    about: 'Nodes of a tree at most; then its leaves go on learning but split no more, so that memory stays bounded.',
  },
  members: option.integer({ from: 1, to: 1000, default: 10, about: 'Number of trees.' }),
  lambda: option.number({
    above: 0,
    to: 100,
    default: 6,
    about: 'Mean of the Poisson number of times each tree sees a sample.',
  }),
  weightedVote: option.flag({
    default: true,
    about: 'Weighs the vote of a tree by its accuracy since it was made.',
  }),
  driftDetection: option.flag({ default: true, about: 'Replaces trees when their errors drift.' }),
  background: option.flag({
    default: true,
    about: 'Starts a tree in the background at a warning, to take over at drift.',
  }),
}

/** The two detectors of a tree; methods differ in the defaults. */
export function detectorOptions(driftDelta: number, warningDelta: number) {
  return {
    driftDelta: option.number({
      above: 0,
      to: 1,
      default: driftDelta,
      about: 'Significance of the ADWIN that replaces a tree.',
    }),
    warningDelta: option.number({
      above: 0,
      to: 1,
      default: warningDelta,
      about: 'Significance of the ADWIN that starts a tree in the background.',
    }),
  }
}

/** Options shared by the ensembles of Hoeffding trees, as {@link TREES_OPTIONS} declares them. */
export type AdaptiveTreesOptions = OptionsOf<typeof TREES_OPTIONS & ReturnType<typeof detectorOptions>>

/** The same with the defaults filled in. */
type AdaptiveTreesSettings = SettingsOf<typeof TREES_OPTIONS & ReturnType<typeof detectorOptions>>

/** What one method decides beyond the options. */
export interface AdaptiveTreesPlan {
  /** Number of channels each leaf draws, or undefined for all. */
  readonly leafFeatures?: number
  /** The channels of each member at the start; empty arrays for all channels. */
  readonly subspaces: readonly Int32Array[]
  /** Draw the Poisson weights; otherwise every tree sees every sample once. */
  readonly resample: boolean
  /** Judge a tree by what it says before (false) or after (true) it learns the sample. */
  readonly judgeAfter: boolean
  /** Learn a weight of k as k samples of weight 1. */
  readonly repeat: boolean
  /** Most memory that the trees may take where their size is not given, in bytes. */
  readonly memory?: number
}

/** Most memory that the trees of one ensemble may take by default, backgrounds included, in bytes. */
const MEMORY = 2 ** 29

/** One member of the ensemble: a tree, its record, the detectors that watch it, and the tree that may replace it. */
interface Member {
  patch: Patch
  background: Patch | undefined
  made: number
  right: number
  seen: number
  readonly warning: Adwin
  readonly drift: Adwin
  readonly random: Random
}

/**
 * The part that Adaptive Random Forest and Streaming Random Patches have in common: bagged Hoeffding trees, each with
 * one ADWIN that warns, whereupon a new tree is trained in the background, and one that replaces the tree.
 */
export class AdaptiveTrees implements Stateful {
  private readonly channels: number
  private readonly seed: number
  private readonly plan: AdaptiveTreesPlan
  private readonly members: Member[]
  private readonly poisson: Poisson
  private readonly bagging: Random
  private readonly weighted: boolean
  private readonly detecting: boolean
  private readonly warning: boolean
  private readonly tree: HoeffdingTreeOptions
  private readonly search: SplitSearch
  private readonly sameStreams: boolean
  private readonly ballot: Float64Array
  /** The sample predicted last and what each member said, so that learning it at once does not ask again. */
  private readonly last: Float64Array
  private readonly votes: Int32Array
  private fresh = false

  constructor(settings: AdaptiveTreesSettings, plan: AdaptiveTreesPlan) {
    const { channels, levels, compat, members: count, driftDelta, warningDelta } = settings
    this.plan = plan
    this.channels = channels
    this.seed = settings.seed
    this.poisson = new Poisson(settings.lambda)
    this.bagging = new Random(this.seed, 'bagging')
    this.weighted = settings.weightedVote
    this.detecting = settings.driftDetection
    this.warning = settings.background && this.detecting
    this.sameStreams = compat === 'skm'
    this.ballot = new Float64Array(levels)
    this.last = new Float64Array(channels)
    this.votes = new Int32Array(count)
    this.tree = treeOptions(settings, plan)
    this.search = new SplitSearch(treeSettings({ ...this.tree, channels: plan.subspaces[0].length || channels }))
    const detector: AdwinOptions = { sides: compat === 'canonical' ? 'increase' : 'both', compat }
    this.members = Array.from({ length: count }, (_, i) => ({
      patch: this.makePatch(i, 0, plan.subspaces[i]),
      background: undefined,
      made: 1,
      right: 0,
      seen: 0,
      warning: new Adwin({ ...detector, delta: warningDelta }),
      drift: new Adwin({ ...detector, delta: driftDelta }),
      random: new Random(this.seed, `subspace ${i}`),
    }))
  }

  /** The channels each member sees now. */
  subspaces(): Int32Array[] {
    return this.members.map(({ patch }) =>
      patch.subspace.length > 0 ? patch.subspace.slice() : Int32Array.from({ length: this.channels }, (_, i) => i),
    )
  }

  /** Writes the weighted vote of the trees into `out` and each one's favourite into `votes`. */
  predict(x: Float64Array, out: Float64Array, votes: Int32Array): void {
    const { members, ballot } = this
    const levels = out.length
    let sum = 0
    out.fill(0)
    for (let i = 0; i < members.length; i++) {
      const member = members[i]
      const heard = member.patch.vote(x, ballot)
      votes[i] = heard ? argmax(ballot) : 0
      this.votes[i] = votes[i]
      if (!heard) continue
      // An accuracy of 0 counts as 1, as in every implementation: a new tree has a voice.
      const weight = this.weighted && member.right > 0 ? member.right / member.seen : 1
      sum += weight
      for (let c = 0; c < levels; c++) out[c] += weight * ballot[c]
    }
    for (let c = 0; c < levels; c++) out[c] = sum > 0 ? out[c] / sum : 1 / levels
    for (let i = 0; i < x.length; i++) this.last[i] = x[i]
    this.fresh = true
  }

  /** Learns that `x` has `level`; sets `drifts[i]` for each member replaced. */
  learn(x: Float64Array, level: number, drifts: Uint8Array): void {
    const { members, ballot, votes, plan } = this
    const voted = this.isLast(x)
    this.fresh = false
    for (let i = 0; i < members.length; i++) {
      const member = members[i]
      const { patch } = member
      if (!voted) votes[i] = patch.vote(x, ballot) ? argmax(ballot) : 0
      member.seen++
      if (votes[i] === level) member.right++
      const weight = plan.resample ? this.poisson.draw(this.bagging) : 1
      if (weight === 0) continue
      if (plan.repeat) for (let k = 0; k < weight; k++) patch.learn(x, level, 1)
      else patch.learnVoted(x, level, weight)
      if (member.background !== undefined) this.learnBackground(member.background, x, level, weight)
      if (!this.detecting) continue
      if (plan.judgeAfter) votes[i] = patch.vote(x, ballot) ? argmax(ballot) : 0
      if (this.watch(i, member, votes[i] === level ? 0 : 1)) drifts[i] = 1
    }
  }

  transfer(io: StateIo): void {
    this.bagging.position = io.number(this.bagging.position)
    this.fresh = this.fresh && !io.reading
    this.members.forEach((member, i) => {
      member.made = io.number(member.made)
      member.right = io.number(member.right)
      member.seen = io.number(member.seen)
      member.random.position = io.number(member.random.position)
      member.warning.transfer(io)
      member.drift.transfer(io)
      member.patch = this.transferPatch(io, i, member.patch)
      if (io.boolean(member.background !== undefined)) {
        member.background = this.transferPatch(io, i, member.background ?? member.patch)
      } else member.background = undefined
    })
  }

  private learnBackground(patch: Patch, x: Float64Array, level: number, weight: number): void {
    if (this.plan.repeat) for (let k = 0; k < weight; k++) patch.learn(x, level, 1)
    else patch.learn(x, level, weight)
  }

  /** Tells the detectors of a member about an error (1) or none (0). Returns whether the member was replaced. */
  private watch(i: number, member: Member, error: number): boolean {
    if (this.warning && member.warning.update(error) === 'drift') {
      member.background = this.newPatch(i, member)
      member.warning.reset()
    }
    if (member.drift.update(error) !== 'drift') return false
    if (member.background !== undefined) {
      member.patch = member.background
      member.background = undefined
      member.warning.reset()
    } else member.patch = this.newPatch(i, member)
    member.drift.reset()
    member.right = member.seen = 0
    return true
  }

  /** An empty tree for a member, with a subspace of its own. */
  private newPatch(i: number, member: Member): Patch {
    const subspace = new Int32Array(this.plan.subspaces[i].length)
    drawSubset(member.random, this.channels, subspace.length, subspace)
    return this.makePatch(i, member.made++, subspace)
  }

  private makePatch(i: number, generation: number, subspace: Int32Array): Patch {
    const stream = this.sameStreams ? 'tree' : `tree ${i}.${generation}`
    return new Patch(this.tree, stream, this.seed, subspace, this.search)
  }

  /** Saves a patch, or loads one into a new tree. */
  private transferPatch(io: StateIo, i: number, patch: Patch): Patch {
    const stream = io.text(patch.stream)
    const target = io.reading
      ? new Patch(this.tree, stream, this.seed, new Int32Array(this.plan.subspaces[i].length), this.search)
      : patch
    target.transfer(io)
    return target
  }

  private isLast(x: Float64Array): boolean {
    if (!this.fresh) return false
    for (let i = 0; i < x.length; i++) if (x[i] !== this.last[i]) return false
    return true
  }
}

/** The options of every tree of an ensemble. */
export function treeOptions(settings: AdaptiveTreesSettings, plan: AdaptiveTreesPlan): HoeffdingTreeOptions {
  const { channels, levels, members } = settings
  const features = plan.leafFeatures ?? (plan.subspaces[0].length || channels)
  const leaves = (plan.memory ?? MEMORY) / (8 * leafSize(levels, features) * 2 * members)
  const tree: HoeffdingTreeOptions = { channels, levels }
  for (const name of Object.keys(GROWTH_OPTIONS))
    Object.assign(tree, { [name]: settings[name as keyof TreeGrowthOptions] })
  tree.maxNodes ??= Math.max(1, Math.min(65_535, 2 * Math.floor(leaves) - 1))
  if (plan.leafFeatures !== undefined) tree.features = plan.leafFeatures
  return tree
}
