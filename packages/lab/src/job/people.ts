import type { AskingOptions, CostMatrix, FeedbackModelOptions } from '@pb-oel/core'

/** How reviewers answer in a run, what they are asked, and what mistakes cost them. */
export interface People {
  /** How reviewers answer: late, not always, wrongly, … Default: at once, always, rightly. */
  answers?: Omit<FeedbackModelOptions, 'levels' | 'rho' | 'seed'>
  /** Which samples are asked about. Without it every sample is, and `rho` says how many get a label. */
  ask?: AskingOptions
  /** What mistakes cost, or how many false alarms a miss costs; methods that can decide by it do. */
  costs?: CostMatrix | number
  /** Disagreement of the experts above which an assessment is passed on to a reviewer, 0 … 1. Default: never. */
  escalateAbove?: number
}
