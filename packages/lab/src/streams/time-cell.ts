/** Year first (ISO 8601) and day first; a time without a zone is UTC. */
const YEAR_FIRST =
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]+(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/i
const DAY_FIRST =
  /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?:[T ,]+(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/i
const NUMBER = /^[+-]?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i

/** What a time may look like, for messages. */
export const TIME_FORMS =
  'a time: ISO 8601 (2026-03-31T13:45:10Z), day first (31.03.2026 13:45:10), or a number of seconds, milliseconds, ' +
  'microseconds or nanoseconds since 1970'

/**
 * A cell as milliseconds since 1970: ISO 8601, a date with the day first, or a number since 1970 whose size tells its
 * unit (below 10^11 seconds, below 10^14 milliseconds, below 10^17 microseconds, else nanoseconds). A time without a
 * zone is taken as UTC. `undefined` where the cell is no time.
 *
 * @example
 * import { timeCell } from '@pb-oel/lab'
 * timeCell('31.03.2026 13:45:10') // 1774964710000
 * timeCell('31.02.2026') // undefined
 */
export function timeCell(cell: string): number | undefined {
  const text = cell.trim()
  if (NUMBER.test(text)) return sinceEpoch(Number(text.replace(',', '.')))
  const iso = YEAR_FIRST.exec(text)
  if (iso) return fromParts(iso[1], iso[2], iso[3], iso.slice(4))
  const day = DAY_FIRST.exec(text)
  return day ? fromParts(day[3], day[2], day[1], day.slice(4)) : undefined
}

function sinceEpoch(value: number): number {
  const size = Math.abs(value)
  if (size < 1e11) return value * 1e3
  if (size < 1e14) return value
  return size < 1e17 ? value / 1e3 : value / 1e6
}

function fromParts(
  year: string,
  month: string,
  day: string,
  [hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z']: (string | undefined)[],
): number | undefined {
  const [y, mo, d, h, mi, s] = [year, month, day, hour, minute, second].map(Number)
  // A leap second counts as the second before it.
  const midnight = Date.UTC(y, mo - 1, d)
  const date = new Date(midnight)
  if (date.getUTCMonth() !== mo - 1 || date.getUTCDate() !== d || h > 24 || mi > 59 || s > 60) return undefined
  const milliseconds = fraction === '' ? 0 : Number(`0.${fraction}`) * 1e3
  return midnight + (h * 60 + mi - zoneMinutes(zone)) * 60_000 + Math.min(s, 59) * 1000 + milliseconds
}

function zoneMinutes(zone: string): number {
  if (/^z$/i.test(zone)) return 0
  const [, sign, hours, minutes] = zone.match(/^([+-])(\d\d):?(\d\d)$/) as RegExpMatchArray
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}
