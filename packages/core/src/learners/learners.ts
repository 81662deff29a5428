import { Catalogue } from '../catalogue.ts'
import { FOREST } from './forest/forest.ts'
import { HOEFFDING_TREE } from './hoeffding-tree/hoeffding-tree.ts'
import type { LearnerEntry } from './learner.ts'
import { NAIVE_BAYES } from './naive-bayes.ts'
import { NEAREST_NEIGHBOURS } from './nearest-neighbours.ts'

/** Every learner. */
export const LEARNERS: readonly LearnerEntry[] = [HOEFFDING_TREE, FOREST, NAIVE_BAYES, NEAREST_NEIGHBOURS]

/**
 * The entry of a learner, or undefined when there is none of that name.
 *
 * @param extensions learners from outside, by the name they go by
 */
export function findLearner(
  name: unknown,
  extensions?: Readonly<Record<string, LearnerEntry>>,
): LearnerEntry | undefined {
  return new Catalogue(...LEARNERS).find(name, extensions)
}
