import type { PromisesReport } from '@pb-oel/protocol'
import { text } from '../strings/en.ts'

/** Says which levels a trained system has never been told: it cannot know them. */
export function NeverTold({ names, report }: { names: readonly string[]; report?: PromisesReport }) {
  const unknown = names.filter((_, level) => report?.answersPerLevel[level] === 0)
  return unknown.length > 0 ? <p class="problem">{text.untrained.neverTold(unknown.join(', '))}</p> : null
}
