import { defineLearner } from '@pb-oel/core'
import { NAIVE_BAYES_OPTIONS, NaiveBayes } from '@pb-oel/core/learners'

/** A learner from outside. */
export default defineLearner({
  name: 'bayes',
  title: 'Bayes',
  summary: 'naive Bayes under another name',
  options: NAIVE_BAYES_OPTIONS,
  create: (shape, options) => new NaiveBayes({ ...shape, ...options }),
})
