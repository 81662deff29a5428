import type { ValueAxis } from './value-axis.ts'

/**
 * The axis of accuracy charts: logarithmic in the error 1 − accuracy, so that 0.95 and 0.99 are as far apart as they
 * are in practice, with ticks that say the accuracy.
 */

const TICKS = [0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999]

/** The best accuracy the axis tells apart from 1. */
const CEILING = 0.9995

/** Share of the axis that two ticks are apart at least. */
const CLOSEST = 0.065

/** Place of an accuracy on the axis; larger is better. */
export function errorScale(accuracy: number): number {
  return -Math.log10(1 - Math.min(CEILING, Math.max(0, accuracy)))
}

/** Domain and ticks for values between `low` and `high`, both accuracies. */
export function errorAxis(low: number, high: number): ValueAxis {
  const above = TICKS.find((tick) => tick >= high) ?? CEILING
  const below = TICKS.findLast((tick) => tick <= low) ?? 0
  const shown = TICKS.filter((tick) => tick >= below && tick <= above)
  const domain: [number, number] = [errorScale(below), errorScale(above)]
  const names = new Map<number, string>()
  // From the top, where it matters: a tick whose name would touch the one above has none.
  let last = Infinity
  for (const tick of shown.reverse()) {
    const place = errorScale(tick)
    if (last - place < CLOSEST * (domain[1] - domain[0])) continue
    names.set(place, String(tick))
    last = place
  }
  return {
    domain,
    ticks: [...names.keys()],
    format: (place) => names.get(place) ?? '',
    place: errorScale,
  }
}
