import { OptionError } from '@pb-oel/core'
import type { Configuration } from '@pb-oel/protocol'

/** How many assessments a system keeps for answers unless its options say otherwise. */
const KEPT = 1_024

/** For how many assessments memory was set aside when a system was created. */
export function setAside({ pending }: Configuration['options']): number {
  return typeof pending === 'number' ? pending : KEPT
}

/** Refuses units of unknown channels. */
export function checkUnits({ units = {}, channels }: Configuration): void {
  const unknown = Object.keys(units).find((channel) => !channels.includes(channel))
  if (unknown !== undefined) throw new OptionError('units', unknown, 'the name of a channel')
}

/** Refuses to take answers to more assessments than are kept. */
export function checkLate({ late, options }: Configuration): void {
  const most = setAside(options)
  if (!late || late.samples <= most) return
  throw new OptionError(
    'late.samples',
    late.samples,
    `an integer in [1, ${most}]: memory for so many was set aside when the system was created (options.pending)`,
  )
}
