import { FeedbackError } from '@pb-oel/core'

/** The index of a level that is given by index or by name. */
export function levelIndex(level: number | string | undefined, levels: readonly string[]): number | undefined {
  if (typeof level !== 'string') return level
  const index = levels.indexOf(level)
  if (index < 0) throw new FeedbackError('level', level, `one of ${levels.join(', ')}, or an index`)
  return index
}
