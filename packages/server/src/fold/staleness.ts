import type { StaleRule } from '@pb-oel/protocol'

/** Milliseconds within which samples count as one arrival: a burst says nothing about the rate. */
const BURST = 1_000
/** Intervals between arrivals after which the rate is known. */
const INTERVALS = 10
/** Data are stale after so many of the longest of them, */
const TIMES = 3
/** and after so many seconds at the earliest. */
const LEAST = 5

/** What is known of the rate of a stream. All times are steady. */
export interface StreamRate {
  /** The first sample of the latest burst; `null` before any. */
  arrival: number | null
  /** Intervals seen, {@link INTERVALS} at most. */
  intervals: number
  /** The longest of them, milliseconds. */
  longest: number
}

/** Nothing known yet. */
export const unknownRate = (): StreamRate => ({ arrival: null, intervals: 0, longest: 0 })

/** Takes a sample into account, until the rate is known. */
export function observeArrival(rate: StreamRate, steady: number): void {
  if (rate.intervals >= INTERVALS) return
  if (rate.arrival !== null && steady - rate.arrival < BURST) return
  if (rate.arrival !== null) {
    rate.longest = Math.max(rate.longest, steady - rate.arrival)
    rate.intervals++
  }
  rate.arrival = steady
}

/**
 * Seconds without a sample after which data are stale; `null` while the stream has no rate.
 *
 * What the rule says counts first: seconds, or three intervals of the expected rate. Otherwise it is three times the
 * longest of the first ten intervals between arrivals, where samples within one second are one arrival.
 */
export function staleAfter(rule: StaleRule | undefined, rate: StreamRate): number | null {
  if (!rule) return null
  if (rule.after !== undefined) return rule.after
  if (rule.rate !== undefined) return Math.max(LEAST, TIMES / rule.rate)
  return rate.intervals < INTERVALS ? null : Math.max(LEAST, (TIMES * rate.longest) / 1000)
}
