/**
 * CPSSDS as it would be if only full labels counted as labels and a confirmed level did not: one reading of the paper's
 * comparison. Also an example of an own assessor by module path:
 *
 *     npx pb-oel table dive --methods cpssds,examples/full-labels-only.ts
 */
import type { Feedback, Task } from '@pb-oel/core'
import { Cpssds, type CpssdsOptions } from '@pb-oel/core/rivals'

class FullLabelsOnly extends Cpssds {
  override learn(id: number, feedback: Feedback): void {
    // To CPSSDS a rejected sample is an unlabelled one.
    super.learn(id, feedback.kind === 'confirm' ? { kind: 'reject' } : feedback)
  }
}

export default ({ channels, levels, seed }: Task, options: Partial<CpssdsOptions>) =>
  new FullLabelsOnly({ channels, levels, seed, ...options })
