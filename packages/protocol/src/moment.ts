import { InvalidShape } from './reader.ts'

/**
 * A moment in milliseconds since 1970, however it was sent.
 *
 * @param where stands in the error for a day or an hour that does not exist
 * @example
 * import { readMoment } from '@pb-oel/protocol'
 * readMoment('2026-11-15T10:00:00Z', 'at') // 1794736800000
 * readMoment(1794736800000, 'at') // 1794736800000
 */
export function readMoment(moment: number | string, where: string): number {
  const time = typeof moment === 'number' ? moment : Date.parse(moment)
  if (Number.isNaN(time) || time < 0 || !exists(moment)) {
    throw new InvalidShape(where, '', `there is no moment ${JSON.stringify(moment)} since 1970`)
  }
  return time
}

/** Whether the day is in the calendar: some engines take 30 February for 2 March. */
function exists(moment: number | string): boolean {
  if (typeof moment === 'number') return true
  const day = moment.slice(0, 10)
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}
