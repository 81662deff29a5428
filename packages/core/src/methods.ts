import type { Assessor, LabelledSample } from './assessor.ts'
import type { CostMatrix } from './decision/cost-matrix.ts'
import { OptionError, SnapshotError } from './errors.ts'
import { PbOel } from './pb-oel/pb-oel.ts'
import { PbOelPlus } from './pb-oel-plus/pb-oel-plus.ts'
import { Arf } from './rivals/arf.ts'
import { Cpssds } from './rivals/cpssds/cpssds.ts'
import { Flip } from './rivals/flip.ts'
import { Majority } from './rivals/majority.ts'
import { NoChange } from './rivals/no-change.ts'
import { Oadac2 } from './rivals/oadac2/oadac2.ts'
import { ObAdwin } from './rivals/ob-adwin.ts'
import { RoaleDi } from './rivals/roale-di/roale-di.ts'
import { Rvfl, RvflHddmNp } from './rivals/rvfl-single.ts'
import { Srp } from './rivals/srp/srp.ts'
import { openSnapshot } from './state/snapshot.ts'

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
}

/** One entry of the register of methods. */
export interface Method {
  /** Name on the command line and in snapshots of it. */
  readonly name: string
  /** One line for lists. */
  readonly summary: string
  /** The only number of levels the method is for, where there is one. */
  readonly levels?: number
  /** Makes an assessor for a task; `options` are the method's own and win over what the task implies. */
  create(task: Task, options?: Record<string, unknown>): Assessor
}

// biome-ignore lint/suspicious/noExplicitAny: options come from outside as JSON; each constructor checks its own
type Options = any

const common = ({ channels, levels, seed, warmUp }: Task): Options => ({
  channels,
  levels,
  ...(seed !== undefined && { seed }),
  ...(warmUp !== undefined && { warmUp }),
})

const bounded = (task: Task): Options => ({
  ...common(task),
  ...(task.horizon !== undefined && { horizon: task.horizon }),
  ...(task.rho !== undefined && { rho: task.rho }),
  ...(task.costs !== undefined && { costs: task.costs }),
})

/** Every method, in the order of the paper's table, PB-OEL and its precursors first. */
export const METHODS: readonly Method[] = [
  {
    name: 'pb-oel',
    summary: 'PB-OEL, the paper’s method (Corollary 1: scaled rate, periodic restarts)',
    create: (task, options) => new PbOel({ ...bounded(task), ...options }),
  },
  {
    name: 'pb-oel-plus',
    summary: 'PB-OEL+, our own: losses, adaptive rate, fixed share, persistence experts',
    create: (task, options) => new PbOelPlus({ ...bounded(task), ...options }),
  },
  {
    name: 'pb-oel-standard',
    summary: 'standard policy of Theorem 1 (c = 1, no restarts)',
    create: (task, options) => new PbOel({ ...bounded(task), c: 1, restarts: false, ...options }),
  },
  {
    name: 'pb-oel-scaled',
    summary: 'scaled standard policy of Corollary 2 (c = 0.1, no restarts)',
    create: (task, options) => new PbOel({ ...bounded(task), restarts: false, ...options }),
  },
  {
    name: 'rvfl',
    summary: 'a single RVFL network, known labels only',
    create: (task, options) => new Rvfl({ ...common(task), ...options }),
  },
  {
    name: 'rvfl-hddm-np',
    summary: 'a single RVFL network with drift test and penalty targets',
    create: (task, options) => new RvflHddmNp({ ...common(task), ...options }),
  },
  {
    name: 'ob-adwin',
    summary: 'online bagging with ADWIN, ten 5-nearest-neighbour members',
    create: (task, options) => new ObAdwin({ ...common(task), ...options }),
  },
  {
    name: 'oadac2',
    summary: 'online AdaC2, cost-sensitive boosting',
    create: (task, options) => new Oadac2({ ...common(task), ...options }),
  },
  {
    name: 'cpssds',
    summary: 'conformal prediction for semi-supervised streams',
    create: (task, options) => new Cpssds({ ...common(task), ...options }),
  },
  {
    name: 'arf',
    summary: 'adaptive random forest, ten trees',
    create: (task, options) => new Arf({ ...common(task), ...options }),
  },
  {
    name: 'srp',
    summary: 'streaming random patches, ten trees',
    create: (task, options) => new Srp({ ...common(task), ...options }),
  },
  {
    name: 'roale-di',
    summary: 'reinforcement online active learning ensemble',
    create: (task, options) => new RoaleDi({ ...common(task), ...options }),
  },
  {
    name: 'no-change',
    summary: 'baseline: repeats the last label it knows',
    create: (task, options) => new NoChange({ ...common(task), ...options }),
  },
  {
    name: 'majority',
    summary: 'baseline: the label known most often so far',
    create: (task, options) => new Majority({ ...common(task), ...options }),
  },
  {
    name: 'flip',
    summary: 'baseline for two levels: the other one than the last label it knows',
    levels: 2,
    create: (task, options) => new Flip({ ...common(task), ...options }),
  },
]

/** Classes by the name their snapshots carry. */
const RESTORE: Record<string, (bytes: Uint8Array) => Assessor> = {
  'pb-oel': PbOel.restore,
  'pb-oel-plus': PbOelPlus.restore,
  rvfl: Rvfl.restore,
  'rvfl-hddm-np': RvflHddmNp.restore,
  'ob-adwin': ObAdwin.restore,
  oadac2: Oadac2.restore,
  cpssds: Cpssds.restore,
  arf: Arf.restore,
  srp: Srp.restore,
  'roale-di': RoaleDi.restore,
  'no-change': NoChange.restore,
  majority: Majority.restore,
  flip: Flip.restore,
}

/**
 * Makes an assessor by the name of its method.
 *
 * @example
 * import { createAssessor } from '@pb-oel/core'
 * const assessor = createAssessor('rvfl', { channels: 24, levels: 3, seed: 1 })
 * assessor.levels // 3
 */
export function createAssessor(method: string, task: Task, options: Record<string, unknown> = {}): Assessor {
  return findMethod(method).create(task, options)
}

/** The entry of a method; an {@link OptionError} lists the names when there is none. */
export function findMethod(name: string): Method {
  const method = METHODS.find((method) => method.name === name)
  if (method) return method
  throw new OptionError('method', name, `one of ${METHODS.map((method) => method.name).join(', ')}`)
}

/** Makes an assessor from any snapshot; it goes on with the same bits. */
export function restoreAssessor(bytes: Uint8Array): Assessor {
  const { method } = openSnapshot(bytes)
  const restore = Object.hasOwn(RESTORE, method) ? RESTORE[method] : undefined
  if (!restore) throw new SnapshotError(`snapshot of ${method}, a method this release does not know`)
  return restore(bytes)
}
