/**
 * Learners: classifiers that learn one labelled sample at a time.
 *
 * @packageDocumentation
 */

export { FOREST_OPTIONS, Forest } from './forest/forest.ts'
export { HoeffdingTree } from './hoeffding-tree/hoeffding-tree.ts'
export { GROWTH_OPTIONS, HOEFFDING_TREE_OPTIONS } from './hoeffding-tree/options.ts'
export { argmax, defineLearner } from './learner.ts'
export { findLearner, LEARNERS } from './learners.ts'
export { NAIVE_BAYES_OPTIONS, NaiveBayes } from './naive-bayes.ts'
export { NEAREST_NEIGHBOURS_OPTIONS, NearestNeighbours } from './nearest-neighbours.ts'

// Types

export type { ForestOptions } from './forest/forest.ts'
export type { HoeffdingTreeOptions, TreeGrowthOptions } from './hoeffding-tree/options.ts'
export type { Learner, LearnerEntry } from './learner.ts'
export type { NaiveBayesOptions } from './naive-bayes.ts'
export type { NearestNeighboursOptions } from './nearest-neighbours.ts'
