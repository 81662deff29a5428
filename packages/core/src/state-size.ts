import type { Extensions, Task } from './method.ts'
import { findMethod } from './methods.ts'
import { readOptions } from './options/option-table.ts'
import { arenaLayout } from './rvfl/kernel/layout.ts'

const NUMBER = 8

/**
 * About how many bytes of memory an assessor takes, without making it: the networks, whose matrices grow with the
 * square of channels + nodes, the samples kept for a refit, and the assessments that wait for an answer. What trees and
 * other members grow to is not counted.
 *
 * @example
 * import { stateSize } from '@pb-oel/core'
 * stateSize('pb-oel', { channels: 24, levels: 3 }) < 2e6 // true
 * stateSize('pb-oel', { channels: 10_000, levels: 3 }) > 4e9 // true
 */
export function stateSize(
  method: string,
  { channels, levels }: Pick<Task, 'channels' | 'levels'>,
  options: Readonly<Record<string, unknown>> = {},
  extensions?: Extensions,
): number {
  const table = findMethod(method, extensions).options
  const settings = readOptions(table, { ...options, channels, levels })
  const { groups, nodes, precision, buffer = 0, pending = 0 } = settings
  // Some methods name their members, others count them.
  const members = Array.isArray(settings.members) ? settings.members.length : 0
  // An ensemble has ten networks at most where it is not told; a method without a number of networks has one.
  const networks = groups === undefined ? 0 : (settings.networks ?? ('networks' in table ? 10 : 1))
  const shape = { experts: networks, channels, nodes: groups * nodes, levels, ridge: 1, forgetting: 1 }
  const bank = networks > 0 ? arenaLayout(shape, precision).length * (precision === 'single' ? NUMBER / 2 : NUMBER) : 0
  const waiting = pending * (channels + (networks + members) * levels)
  return bank + NUMBER * (buffer * channels + waiting)
}
