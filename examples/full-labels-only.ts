/**
 * CPSSDS as it would be if only full labels counted as labels and a confirmed level did not: one reading of the paper's
 * comparison. Also an example of a method of your own, named by the path of its module:
 *
 *     npx pb-oel table dive --methods cpssds,./examples/full-labels-only.ts
 */
import { defineMethod, type Feedback } from '@pb-oel/core'
import { CPSSDS_OPTIONS, Cpssds } from '@pb-oel/core/rivals'

class FullLabelsOnly extends Cpssds {
  override learn(id: number, feedback: Feedback): void {
    // To CPSSDS a rejected sample is an unlabelled one.
    super.learn(id, feedback.kind === 'confirm' ? { kind: 'reject' } : feedback)
  }
}

export default defineMethod({
  name: 'full-labels-only',
  title: 'CPSSDS, full labels only',
  role: 'rival',
  summary: 'CPSSDS that takes no confirmed level for a label',
  // Snapshots carry the name of the class it extends.
  variantOf: 'cpssds',
  options: CPSSDS_OPTIONS,
  // It starts without the warm-up set: the figures in docs/rivals.md were made so.
  make: ({ warmUp: _, ...options }) => new FullLabelsOnly(options),
})
