import { OptionError } from '../errors.ts'
import { HoeffdingTree } from '../learners/hoeffding-tree/hoeffding-tree.ts'
import type { Learner } from '../learners/learner.ts'
import { NaiveBayes } from '../learners/naive-bayes.ts'
import { NearestNeighbours } from '../learners/nearest-neighbours.ts'
import { oneOf, onlyKnown } from '../options/checks.ts'
import type { Expert } from './expert.ts'
import { LearnerExpert } from './learner-expert.ts'
import { PersistenceExpert } from './persistence.ts'

/**
 * An expert beside the networks, in words that can stand in options and in JSON: its `kind` and its own options, such
 * as `{ kind: 'persistence', patience: 2 }` or `{ kind: 'hoeffding-tree', gracePeriod: 100 }`. Channels and levels
 * come from the ensemble.
 */
export interface Member {
  readonly kind: MemberKind
  readonly [option: string]: unknown
}

/** What can be a {@link Member}: repeating the last level, and each learner. */
export type MemberKind = 'persistence' | keyof typeof LEARNERS

// biome-ignore lint/suspicious/noExplicitAny: options come from outside as JSON; each constructor checks its own
type Options = any

const LEARNERS = {
  'hoeffding-tree': (options: Options): Learner => new HoeffdingTree(options),
  'naive-bayes': (options: Options): Learner => new NaiveBayes(options),
  'nearest-neighbours': (options: Options): Learner => new NearestNeighbours(options),
}
const KINDS = ['persistence', ...(Object.keys(LEARNERS) as (keyof typeof LEARNERS)[])] as const

/** Checks a list of members and makes the experts. */
export function createMembers(members: unknown, channels: number, levels: number): Expert[] {
  if (!Array.isArray(members)) throw new OptionError('members', members, 'a list of { kind, … }')
  return members.map((member: Member | null, i) => {
    const kind = oneOf(`members[${i}].kind`, member?.kind, KINDS)
    const { kind: _, ...options } = member as Member
    if (kind !== 'persistence') return new LearnerExpert(LEARNERS[kind]({ ...options, channels, levels }))
    onlyKnown(options, ['patience'])
    return new PersistenceExpert(levels, (options as { patience?: number }).patience ?? 1)
  })
}
