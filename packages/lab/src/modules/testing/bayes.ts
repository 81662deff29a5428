import { defineLearner } from '@pb-oel/core'
import { NaiveBayes } from '@pb-oel/core/learners'

/** A learner from outside. */
export default defineLearner({
  name: 'bayes',
  title: 'Bayes',
  summary: 'naive Bayes under another name',
  options: {},
  create: (shape) => new NaiveBayes(shape),
})
