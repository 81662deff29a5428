import type { SampleRing } from '../feed/sample-ring.ts'

/** Samples at the moment that are compared with those before. One odd reading alone makes no channel unusual. */
const WINDOW = 5
/** Makes the median distance from the median as large as the standard deviation of normal noise. */
const NORMAL = 1.4826
/** The same for the mean distance. */
const NORMAL_MEAN = 1.2533
/** No distance counts as more deviations: beyond, all are as unusual. */
const MOST = 100

/** Whole turns by the units of angles. An angle has no ends: from 358 degrees to 0 is a small step. */
const TURNS: Readonly<Record<string, number>> = {
  ...{ '°': 360, deg: 360, degree: 360, degrees: 360 },
  ...{ rad: 2 * Math.PI, radian: 2 * Math.PI, radians: 2 * Math.PI },
  ...{ rev: 1, turn: 1, turns: 1, gon: 400, grad: 400 },
}

/** How much a whole turn is in a unit; `undefined` where the unit is none of angles. */
export function turnOf(unit: string | undefined): number | undefined {
  return unit === undefined ? undefined : TURNS[unit.trim().toLowerCase()]
}

/**
 * Channels, the most unusual first: by the distance of their latest values up to a moment from those before, in
 * deviations. Both are medians, so that outliers before the moment do not hide it, and one odd reading is not taken for
 * a change (F. R. Hampel, "The influence curve and its role in robust estimation", 1974). A channel that never moved
 * comes last.
 *
 * @param units of the channels; angles are compared as angles
 */
export function unusualFirst(ring: SampleRing, moment: number, units: readonly (string | undefined)[] = []): number[] {
  const { start } = ring.range(Number.NEGATIVE_INFINITY, moment)
  const { end } = ring.range(moment, moment)
  const scores = Array.from({ length: ring.channels }, (_, channel) =>
    deviation(ring.column(channel, start, end), turnOf(units[channel])),
  )
  return scores.map((_, channel) => channel).sort((a, b) => scores[b] - scores[a] || a - b)
}

/**
 * Distance of the median of the latest values from the median of those before, in robust deviations.
 *
 * @param turn a whole turn, where the values are angles
 */
export function deviation(values: ArrayLike<number>, turn?: number): number {
  const known = Array.from(values).filter((value) => !Number.isNaN(value))
  const latest = Math.min(WINDOW, Math.max(1, Math.floor(known.length / 3)))
  const before = known.slice(0, -latest)
  if (before.length < 3) return 0
  // Angles are measured from one of them, so that their ends do not matter.
  const from = turn === undefined ? 0 : middleAngle(before, turn)
  const flat = (value: number) => (turn === undefined ? value : around(value - from, turn))
  const usual = median(before.map(flat))
  const away = before.map((value) => Math.abs(around(flat(value) - usual, turn)))
  // Where most values are the same, as from a coarse sensor, the median distance is 0, and the mean must do.
  const spread = NORMAL * median(away) || NORMAL_MEAN * (away.reduce((sum, value) => sum + value, 0) / away.length)
  const distance = Math.abs(around(median(known.slice(-latest).map(flat)) - usual, turn))
  if (distance === 0) return 0
  return spread > 0 ? Math.min(MOST, distance / spread) : MOST
}

/** A difference of angles as the short way round: −half a turn … half a turn. */
function around(difference: number, turn: number | undefined): number {
  return turn === undefined ? difference : difference - turn * Math.round(difference / turn)
}

/** The direction of the sum of all angles as arrows. */
function middleAngle(angles: readonly number[], turn: number): number {
  let [x, y] = [0, 0]
  for (const angle of angles) {
    x += Math.cos((2 * Math.PI * angle) / turn)
    y += Math.sin((2 * Math.PI * angle) / turn)
  }
  return (Math.atan2(y, x) * turn) / (2 * Math.PI)
}

function median(values: number[]): number {
  values.sort((a, b) => a - b)
  const middle = values.length >> 1
  return values.length % 2 === 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
}
