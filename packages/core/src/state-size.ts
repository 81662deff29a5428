import { KNOWN_LEARNERS } from './learners/known-learners.ts'
import type { Extensions, Task } from './method.ts'
import { findMethod } from './methods.ts'
import { readOptions } from './options/option-table.ts'
import { arenaLayout } from './rvfl/kernel/layout.ts'

const NUMBER = 8

/**
 * About how many bytes of memory an assessor takes, without making it: the networks, whose matrices grow with the
 * square of channels + nodes, the samples kept for a refit, the assessments that wait for an answer, and what members
 * such as a forest grow to at most.
 *
 * @example
 * import { stateSize } from '@pb-oel/core'
 * stateSize('pb-oel', { channels: 24, levels: 3 }) < 2e6 // true
 * stateSize('pb-oel-plus', { channels: 24, levels: 3 }) > 8e6 // true: its forest
 * stateSize('pb-oel', { channels: 10_000, levels: 3 }) > 4e9 // true
 */
export function stateSize(
  method: string,
  { channels, levels }: Pick<Task, 'channels' | 'levels'>,
  options: Readonly<Record<string, unknown>> = {},
  extensions?: Extensions,
): number {
  const entry = findMethod(method, extensions)
  const table = entry.options
  const settings = readOptions(table, { ...options, channels, levels })
  const { groups, nodes, precision, buffer = 0, pending = 0 } = settings
  // Some methods name their members, others count them.
  const named = Array.isArray(settings.members) ? settings.members : (entry.membersOf?.(settings) ?? [])
  // An ensemble has ten networks at most where it is not told; a method without a number of networks has one.
  const networks = groups === undefined ? 0 : (settings.networks ?? ('networks' in table ? 10 : 1))
  const shape = { experts: networks, channels, nodes: groups * nodes, levels, ridge: 1, forgetting: 1 }
  const bank = networks > 0 ? arenaLayout(shape, precision).length * (precision === 'single' ? NUMBER / 2 : NUMBER) : 0
  const waiting = pending * (channels + (networks + named.length) * levels)
  const grown = named.map(({ kind, ...own }) => {
    const learner = KNOWN_LEARNERS.find(kind, extensions?.learners)
    return learner?.mostBytes?.({ channels, levels }, own) ?? 0
  })
  return bank + NUMBER * (buffer * channels + waiting) + grown.reduce((sum, bytes) => sum + bytes, 0)
}
