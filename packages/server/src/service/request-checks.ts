import { type Extensions, OptionError, stateSize } from '@pb-oel/core'
import type { SystemRequest } from '@pb-oel/protocol'
import { TooLarge } from '../errors.ts'
import { DEFAULT_METHOD, serviceOptions } from '../fold/service-options.ts'

/**
 * Refuses to tell somebody whom the server does not know.
 *
 * @param receivers names of those it knows; undefined where any name is taken
 */
export function checkReceivers(receivers: ReadonlySet<string> | undefined, alarms: SystemRequest['alarms'] = {}): void {
  if (!receivers) return
  for (const [rule, setting] of Object.entries(alarms)) {
    const unknown = setting?.escalation?.flatMap(({ tell }) => tell).find((name) => !receivers.has(name))
    if (unknown === undefined) continue
    const known = [...receivers].join(', ') || 'none'
    throw new OptionError(`alarms.${rule}.escalation`, unknown, `a receiver of the server's configuration: ${known}`)
  }
}

/** Refuses a model that would take more than `most` megabytes, before any of it is made. */
export function checkSize(given: SystemRequest, extensions: Extensions, most: number): void {
  const { method = DEFAULT_METHOD, channels, levels } = given
  const task = { channels: channels.length, levels: levels.length }
  const megabytes = stateSize(method, task, serviceOptions(given, extensions), extensions) / 1e6
  if (megabytes <= most) return
  throw new TooLarge(
    `a model of ${channels.length} channels takes about ${Math.ceil(megabytes)} MB of memory with these options, ` +
      `and this server allows ${most} MB: use fewer channels, networks, nodes or late samples, or let it allow more ` +
      '(limits.systemMegabytes)',
  )
}
