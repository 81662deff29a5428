import type { SystemFold } from '../fold/system-fold.ts'
import type { LogReader } from '../log/event-log.ts'

/** Where and when an idempotency key was used. */
export interface UsedKey {
  key: string
  sequence: number
  time: number
}

/** Milliseconds that a key is remembered, beside the latest 10,000, which the state itself keeps. */
export const KEY_LIFETIME = 600_000
/** Most keys of a system: about a minute at the highest rate. */
export const KEYS_MOST = 200_000
/** Kinds of records that may have a key. */
const KEYED = ['sample', 'feedback', 'correction', 'stretch', 'abstention', 'second-opinion', 'comment'] as const
/** Records read at once. */
const PAGE = 1_000

/** The keys of the latest minutes that a state does not hold any more, oldest first, from the log. */
export async function olderKeys(log: LogReader, { id, time: now, oldestKey }: SystemFold): Promise<UsedKey[]> {
  const found: UsedKey[] = []
  for (let to = (oldestKey ?? 0) - 1; to >= 1 && found.length < KEYS_MOST; ) {
    const records = await log.read(id, { to, kinds: [...KEYED], reverse: true, limit: PAGE })
    for (const { body, sequence, time } of records) {
      if (time < now - KEY_LIFETIME) return found.reverse()
      const { key } = JSON.parse(body)
      if (key !== undefined) found.push({ key, sequence, time })
    }
    if (records.length < PAGE) break
    to = (records.at(-1)?.sequence ?? 1) - 1
  }
  return found.reverse()
}
