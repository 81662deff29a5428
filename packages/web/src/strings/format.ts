/** Numbers and times as the page shows them. */

const integer = new Intl.NumberFormat('en')
const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
const dateAndClock = new Intl.DateTimeFormat('en', {
  ...{ year: 'numeric', month: 'short', day: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
})

/** `12,345` */
export const count = (value: number): string => integer.format(value)

/** A number with its noun. */
export const plural = (number: number, one: string, many: string): string =>
  `${count(number)} ${number === 1 ? one : many}`

/** The first letter large, as at the beginning of a sentence. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A share as `93.1 %`; a dash when there is none. */
export function percent(share: number | null | undefined, digits = 1): string {
  return share === null || share === undefined || Number.isNaN(share) ? '–' : `${(100 * share).toFixed(digits)} %`
}

/** How sure an assessment is: `97 %`. Nothing is ever shown as certain. */
export function sureness(confidence: number | null | undefined): string {
  return (confidence ?? 0) >= 0.995 ? '> 99 %' : percent(confidence, 0)
}

/** Keeps each number and its percent sign on one line. */
export const unbroken = (sentence: string): string => sentence.replaceAll(' %', '\u00a0%')

/** A share that is promised at least: `98.1 %`, rounded down, so that no more is promised than holds. */
export function atLeast(share: number): string {
  return rounded(Math.floor, share, digitsFor(1 - share))
}

/** A share that is promised at most: `0.6 %`, rounded up. */
export function atMost(share: number): string {
  return rounded(Math.ceil, share, digitsFor(share))
}

/** The closer a share is to certainty, the more digits tell it from certainty. */
function digitsFor(distance: number): number {
  const size = Math.abs(distance)
  return size >= 0.001 || size === 0 ? 1 : size >= 0.0001 ? 2 : 3
}

/** A share in percent, rounded one way. What is not exact in binary may not push it a digit too far. */
function rounded(round: (value: number) => number, share: number, digits: number): string {
  const scale = 100 * 10 ** digits
  const slack = round === Math.floor ? 1e-9 : -1e-9
  const value = round(share * scale + slack) / 10 ** digits
  return `${value < 0 ? '−' : ''}${Math.abs(value).toFixed(digits)} %`
}

/** The difference of two shares in percentage points, with its sign: `+0.3`. */
export function points(before: number, after: number): string {
  const difference = 100 * (after - before)
  const text = Math.abs(difference).toFixed(Math.abs(difference) < 0.1 ? 2 : 1)
  return Number(text) === 0 ? '±0' : `${difference < 0 ? '−' : '+'}${text}`
}

/** Time of day. */
export const time = (milliseconds: number): string => clock.format(milliseconds)
/** Date and time of day. */
export const moment = (milliseconds: number): string => dateAndClock.format(milliseconds)

/** A moment as tooltips tell it: the date unless it is today, and milliseconds. */
export function precise(milliseconds: number): string {
  const fraction = String(Math.floor(milliseconds % 1000)).padStart(3, '0')
  return `${sameDay(milliseconds, Date.now()) ? clock.format(milliseconds) : dateAndClock.format(milliseconds)}.${fraction}`
}

/** A stretch of time: dates only where they say more than the time of day does. */
export function stretch(from: number, to: number): string {
  if (sameDay(from, Date.now()) && sameDay(to, Date.now())) return `${time(from)} – ${time(to)}`
  return `${moment(from)} – ${sameDay(from, to) ? time(to) : moment(to)}`
}

function sameDay(a: number, b: number): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString()
}

/** A duration in its two largest units: `4 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(seconds: number): string {
  if (seconds < 10) return `${Math.max(0, seconds).toFixed(1)} s`
  if (seconds < 60) return `${Math.floor(seconds)} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
  return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3600)} h`
}

/** The size of a jump of a clock, whatever its direction. Clocks tell milliseconds: an hour may be one too short. */
export function jumpSize(milliseconds: number): string {
  const seconds = Math.abs(milliseconds) / 1000
  return duration(seconds < 10 ? seconds : Math.round(seconds))
}

/** A reading with four significant digits. */
export function reading(value: number): string {
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e6 || size < 1e-3)) return value.toExponential(2).replaceAll('-', '−')
  return value.toFixed(size >= 1000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 3).replace('-', '−')
}

/** A reading with its unit: `12.40 bar`. */
export function withUnit(value: number, unit: string | undefined): string {
  if (Number.isNaN(value)) return '–'
  return unit === undefined ? reading(value) : `${reading(value)}\u202f${unit}`
}

/** A channel's name for people: `cabin_pressure` → `cabin pressure`. */
export const channelName = (name: string): string => name.replaceAll('_', ' ')
