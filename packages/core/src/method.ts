import type { Assessor, LabelledSample } from './assessor.ts'
import type { CostMatrix } from './decision/cost-matrix.ts'
import type { DetectorEntry } from './drift/detector.ts'
import type { LearnerEntry } from './learners/learner.ts'
import type { GivenOptions, OptionTable } from './options/option-table.ts'
import { openSnapshot } from './state/snapshot.ts'
import type { Stateful } from './state/state-io.ts'
import type { StreamEntry } from './streams/stream.ts'

/** What is known about a task before the first sample; each method takes of it what it can use. */
export interface Task {
  /** Number of channels d. */
  channels: number
  /** Number of levels K. */
  levels: number
  /** Seed of all randomness. Default 1. */
  seed?: number
  /** Number of samples to come, where known. */
  horizon?: number
  /** Expected share of full labels ρ, where known. */
  rho?: number
  /** Labelled samples to start from, where there are any. */
  warmUp?: readonly LabelledSample[]
  /** What mistakes cost, where they do not cost alike. */
  costs?: CostMatrix
  /** Edition of the behaviour, for methods that have several: 1 for logs that name none. Default: the present one. */
  edition?: 1 | 2
}

/**
 * Methods, detectors, learners and streams from outside, each by the name that stands for it in options: most often the
 * path of the module it comes from.
 */
export interface Extensions {
  readonly methods?: Readonly<Record<string, Method>>
  readonly detectors?: Readonly<Record<string, DetectorEntry>>
  readonly learners?: Readonly<Record<string, LearnerEntry>>
  readonly streams?: Readonly<Record<string, StreamEntry>>
}

/** A method: everything there is to know about it, in one entry. */
export interface Method<A extends Assessor = Assessor> {
  readonly type: 'method'
  /** Name on the command line and in snapshots, such as `pb-oel`. */
  readonly name: string
  /** Name in texts, tables and figures, such as `PB-OEL`. */
  readonly title: string
  /** A method of ours or of the paper, a rival it is compared with, or a trivial baseline. */
  readonly role: 'method' | 'rival' | 'baseline'
  /** One line for lists. */
  readonly summary: string
  /** The only number of levels the method is for, where there is one. */
  readonly levels?: number
  /** The name of the method this one is a special case of; it has no column of its own in tables of all methods. */
  readonly variantOf?: string
  readonly options: OptionTable
  /**
   * How many samples from the beginning of a stream the method wants labelled before it starts. Without it, the lab
   * gives the first sample of each level.
   */
  labelledFirst?(options: Readonly<Record<string, unknown>>): number | undefined
  /** The experts beside the networks where the options name none, given the checked options. */
  membersOf?(settings: GivenOptions): readonly { readonly kind: string; readonly [option: string]: unknown }[]
  /** Makes an assessor for a task; `options` are the method's own and win over what the task implies. */
  create(task: Task, options?: Readonly<Record<string, unknown>>, extensions?: Extensions): A
  /** Makes an assessor from its snapshot; it goes on with the same bits. */
  restore(bytes: Uint8Array, extensions?: Extensions): A
  /** Makes an assessor with one level more from a snapshot; left out where the method cannot. */
  widen?(bytes: Uint8Array, extensions?: Extensions): A
}

/** What the entry of a method is made from. */
export interface MethodDefinition<A extends Assessor & Stateful>
  extends Omit<Method<A>, 'type' | 'create' | 'restore' | 'widen'> {
  /** What the method takes of a task beside channels, levels, seed and warm-up. */
  readonly takes?: readonly ('horizon' | 'rho' | 'costs')[]
  /** Options that differ from the defaults in this entry. */
  readonly presets?: Readonly<Record<string, unknown>>
  /** Whether its state can be loaded where there is a level more: every array per level says so in `transfer`. */
  readonly widens?: boolean
  /** Calls the constructor, which checks the options. */
  make(options: GivenOptions, extensions?: Extensions): A
}

/**
 * Makes the entry of a method. Its class passes the entry on to its base class, so that snapshots carry its name.
 *
 * @example
 * import type { Method, StateIo } from '@pb-oel/core'
 * import { defineMethod, EpsilonGreedyAssessor, RIVAL_OPTIONS } from '@pb-oel/core'
 * class Parrot extends EpsilonGreedyAssessor {
 *   private last = 0
 *   protected predict(_x: Float64Array, out: Float64Array, votes: Int32Array): void {
 *     out.fill(0)
 *     out[this.last] = 1
 *     votes[0] = this.last
 *   }
 *   protected teach(_x: Float64Array, level: number): void {
 *     this.last = level
 *   }
 *   protected transferModel(io: StateIo): void {
 *     this.last = io.number(this.last)
 *   }
 * }
 * const parrot: Method<Parrot> = defineMethod({
 *   name: 'parrot',
 *   title: 'parrot',
 *   role: 'baseline',
 *   summary: 'says the level that was taught last',
 *   options: RIVAL_OPTIONS,
 *   make: (options) => new Parrot(parrot, options),
 * })
 * parrot.create({ channels: 1, levels: 3 }).levels // 3
 */
export function defineMethod<A extends Assessor & Stateful>(definition: MethodDefinition<A>): Method<A> {
  const { takes = [], presets = {}, widens = false, make, ...about } = definition
  const opened = (bytes: Uint8Array) => {
    const snapshot = openSnapshot(bytes, about.variantOf ?? about.name)
    // A snapshot that names no edition was written before there was a second.
    const edition = hasEditions(about.options) ? { edition: 1 } : {}
    return { snapshot, given: { ...edition, ...snapshot.options } }
  }
  return {
    ...about,
    type: 'method',
    options: withPresets(about.options, presets),
    create: (task, options, extensions) => {
      const edition = task.edition !== undefined && hasEditions(about.options) ? { edition: task.edition } : {}
      return make({ ...fromTask(task, takes), ...edition, ...presets, ...options }, extensions)
    },
    restore: (bytes, extensions) => {
      const { snapshot, given } = opened(bytes)
      return snapshot.into(make(given, extensions))
    },
    ...(widens && {
      widen: (bytes, extensions) => {
        const { snapshot, given } = opened(bytes)
        return snapshot.widenInto(make({ ...given, levels: given.levels + 1 }, extensions))
      },
    }),
  }
}

function hasEditions(table: OptionTable): boolean {
  return Object.hasOwn(table, 'edition')
}

/** The table with other defaults. */
function withPresets(table: OptionTable, presets: Readonly<Record<string, unknown>>): OptionTable {
  const changed = Object.entries(presets).map(([name, value]) => [name, { ...table[name], default: value }])
  return { ...table, ...Object.fromEntries(changed) }
}

/** What a method takes of a task, in a fixed order: the options are part of every snapshot. */
function fromTask(task: Task, takes: readonly ('horizon' | 'rho' | 'costs')[]): Record<string, unknown> {
  const options: Record<string, unknown> = { channels: task.channels, levels: task.levels }
  for (const name of ['seed', 'warmUp', 'horizon', 'rho', 'costs'] as const) {
    const taken = name === 'seed' || name === 'warmUp' || takes.includes(name)
    if (taken && task[name] !== undefined) options[name] = task[name]
  }
  return options
}
