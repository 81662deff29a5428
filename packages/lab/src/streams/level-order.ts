import { DataError } from '../errors.ts'
import type { TableOptions } from './table-options.ts'

/** The labels of a table as levels, and what a user should know about their order. */
export interface LevelOrder {
  levels: readonly string[]
  warning?: string
}

/**
 * Puts labels into the order of levels, safest first: as `levels` says, whole numbers by their value, text as the file
 * declares it or in the order of appearance, with a warning.
 *
 * @param found the labels in the order of appearance
 * @param words the labels as the file declares them
 */
export function orderLevels(
  found: readonly string[],
  words: readonly string[] | undefined,
  source: string,
  { levels }: TableOptions,
): LevelOrder {
  if (levels) return { levels }
  if (found.length < 2) throw new DataError(source, `only one level, ${JSON.stringify(found[0])}`)
  if (found.every((label) => /^[+-]?\d+(\.0+)?$/.test(label))) {
    return { levels: found.toSorted((a, b) => Number(a) - Number(b)) }
  }
  const ordered = words ? found.toSorted((a, b) => words.indexOf(a) - words.indexOf(b)) : found
  const how = words ? 'the order in which the file declares them' : 'the order of their first appearance'
  const list = ordered.length > 12 ? [...ordered.slice(0, 12), '…'] : ordered
  return {
    levels: ordered,
    warning:
      `the labels are text and are ordered by ${how}: ${list.join(' < ')}, safest first. Misses and false alarms count ` +
      `by this order and swap where it is wrong. Say the order: --levels ${list.map(quoted).join(',')}`,
  }
}

const quoted = (label: string): string => (/[\s"'$&;|<>()]/.test(label) ? JSON.stringify(label) : label)
