import { OptionError } from '../errors.ts'
import { KNOWN_LEARNERS } from '../learners/known-learners.ts'
import type { Extensions } from '../method.ts'
import { type OptionTable, readOptions } from '../options/option-table.ts'
import type { Expert } from './expert.ts'
import { LearnerExpert } from './learner-expert.ts'
import { PERSISTENCE_OPTIONS, PersistenceExpert } from './persistence.ts'

/**
 * An expert beside the networks, in words that can stand in options and in JSON: its `kind` and its own options, such
 * as `{ kind: 'persistence', patience: 2 }` or `{ kind: 'hoeffding-tree', gracePeriod: 100 }`. The kind is
 * `persistence`, a built-in learner, or a learner among the extensions. Channels and levels come from the ensemble.
 */
export interface Member {
  readonly kind: string
  readonly [option: string]: unknown
}

/**
 * Makes the experts of a list of members.
 *
 * @param seed of the learners that draw at random and are given no other
 */
export function createMembers(
  members: readonly (Member | null)[],
  channels: number,
  levels: number,
  extensions: Extensions = {},
  seed?: number,
): Expert[] {
  return members.map((member, i) => {
    const { kind, ...options }: Partial<Member> = member ?? {}
    const at = `members[${i}].`
    if (kind === 'persistence') {
      const { patience, search } = readOptions(PERSISTENCE_OPTIONS, options, at)
      return new PersistenceExpert(levels, patience, search)
    }
    const entry = KNOWN_LEARNERS.find(kind, extensions.learners)
    if (!entry) {
      const names = ['persistence', ...KNOWN_LEARNERS.names].join(', ')
      throw new OptionError(`${at}kind`, kind, `one of ${names}, or a learner among the given extensions`)
    }
    checkOwn(entry.options, options, at)
    const own = seed === undefined || !('seed' in entry.options) ? options : { seed, ...options }
    return new LearnerExpert(entry.create({ channels, levels }, own))
  })
}

/** Checks the options of a learner beside its shape, whether or not its table has the shape too. */
function checkOwn(table: OptionTable, options: Readonly<Record<string, unknown>>, at: string): void {
  const { channels: _, levels: __, ...own } = table
  readOptions(own, options, at)
}
