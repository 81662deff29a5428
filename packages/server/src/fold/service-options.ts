import { type Extensions, findMethod, stateSize } from '@pb-oel/core'
import type { SystemRequest } from '@pb-oel/protocol'
import { indexedOptions } from './level-index.ts'

/** The method of a system that is created without one. */
export const DEFAULT_METHOD = 'pb-oel-plus'

/** How many assessments a new system keeps for late answers, where memory allows. */
const KEPT = 2_048
/** Seconds that it keeps where its rate is known, so that one stretch can answer ten minutes; and most of them. */
const KEPT_SECONDS = 600
const KEPT_MOST = 16_384
/** Bytes that they may take in the model unless the caller wants more. */
const KEPT_BYTES = 16e6

/**
 * The options of a new system. Beside what the caller gives, the service chooses scaling that no single sample can
 * spoil, where the method scales: sensors fail, and a value of 1e6 must not end a model for good. It keeps more
 * assessments for late answers than the library does: ten minutes where the rate is known. Both are recorded with the
 * system, so that older systems go on with what they were made with.
 */
export function serviceOptions(
  { method = DEFAULT_METHOD, options = {}, channels, levels, late, stale }: SystemRequest,
  extensions?: Extensions,
): Record<string, unknown> {
  const table = findMethod(method, extensions).options
  const own: Record<string, unknown> = {}
  if (Object.hasOwn(table, 'scaling')) own.scaling = 'robust'
  if (Object.hasOwn(table, 'pending')) {
    const task = { channels: channels.length, levels: levels.length }
    const size = (pending: number) => stateSize(method, task, { ...options, pending }, extensions)
    const wanted = Math.min(KEPT_MOST, Math.ceil(KEPT_SECONDS * (stale?.rate ?? 0)))
    const affordable = [Math.max(wanted, KEPT), KEPT].find((kept) => size(kept) - size(1) <= KEPT_BYTES)
    if (late?.samples !== undefined) own.pending = late.samples
    else if (affordable !== undefined) own.pending = affordable
  }
  return { ...own, ...indexedOptions(options, levels) }
}
