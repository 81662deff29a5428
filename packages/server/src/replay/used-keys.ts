import { KEYS_KNOWN_FOR, type LogReader } from '../log/event-log.ts'

/** Where and when an idempotency key was used. */
export interface UsedKey {
  key: string
  sequence: number
  time: number
}

/** Most keys of a system: about a minute at the highest rate. */
export const KEYS_MOST = 200_000
/** Kinds of records that may have a key. */
const KEYED = ['sample', 'feedback', 'correction', 'stretch', 'abstention', 'second-opinion', 'comment'] as const
/** Records read at once. */
const PAGE = 1_000

/**
 * The keys of the latest minutes that a state does not hold any more, oldest first, from the log.
 *
 * @param oldest the record of the oldest key that the state holds, where it holds as many as it can
 */
export async function olderKeys(
  log: LogReader,
  { id, time: now, oldest }: { id: string; time: number; oldest: number | undefined },
): Promise<UsedKey[]> {
  const found: UsedKey[] = []
  let to = (oldest ?? 0) - 1
  const pages = to < 1 ? [] : ((await log.keyPages?.(id)) ?? [])
  const isOld = (time: number) => time < now - KEYS_KNOWN_FOR
  while (to >= 1 && found.length < KEYS_MOST) {
    const page = pages.findLast((one) => one.after < to && one.to >= to)
    if (page && isOld(page.time)) break
    if (page) {
      const { after, time, keys } = page
      for (const [key, sequence] of keys.toReversed()) if (sequence <= to) found.push({ key, sequence, time })
      to = after
      continue
    }
    // Up to the next page, where one is missing.
    const from = Math.max(1, ...pages.filter((one) => one.to < to).map((one) => one.to + 1))
    const records = await log.read(id, { from, to, kinds: [...KEYED], reverse: true, limit: PAGE })
    for (const { body, sequence, time } of records) {
      if (isOld(time)) return found.reverse()
      const { key } = JSON.parse(body)
      if (key !== undefined) found.push({ key, sequence, time })
    }
    to = (records.length < PAGE ? from : records[PAGE - 1].sequence) - 1
  }
  return found.reverse()
}
