import type { Random } from '../math/random.ts'

/** Length of the recorded dive; every position in it is given in rows of that recording. */
export const DIVE_ROWS = 30_000

/** The levels of the dive, safest first. */
export const DIVE_LEVELS: readonly string[] = ['I safe', 'II mildly unsafe', 'III unsafe']

/** Which instruments are noisy: none, those of motion and thrust, or those of the cabin. */
export type NoiseKind = 'quiet' | 'restless' | 'cabin'

/** A stretch of the dive with one level. */
export interface DiveSegment {
  /** First row. */
  readonly start: number
  readonly level: number
  /** How the sensors show the level. Where it does not change with the level, only the meaning of the readings did. */
  readonly noise: NoiseKind
}

/**
 * Levels over the dive. The channels that separate them change along the dive, and that is the concept drift: the
 * oxygen level at row 102, the heat of the cabin from 459, nothing visible at 3848 (below 345 m the same readings count
 * as safe), the noise of motion from 10551, the noise of the cabin from 18949, a real fault from 29720.
 */
export const DIVE_SEGMENTS: readonly DiveSegment[] = [
  { start: 0, level: 2, noise: 'quiet' },
  { start: 102, level: 0, noise: 'quiet' },
  { start: 147, level: 1, noise: 'cabin' },
  { start: 189, level: 0, noise: 'quiet' },
  { start: 459, level: 2, noise: 'quiet' },
  { start: 3848, level: 0, noise: 'quiet' },
  { start: 10551, level: 2, noise: 'restless' },
  { start: 15458, level: 0, noise: 'quiet' },
  { start: 18949, level: 1, noise: 'cabin' },
  { start: 29720, level: 2, noise: 'cabin' },
  { start: 29817, level: 1, noise: 'cabin' },
]

/**
 * Rows 139 to 188 of the recording show a piece of the later dive, the eight rows before and the 42 rows after the
 * change from level I to II at row 18949. So all levels are seen early, and the first sight of level II is of the deep
 * sea.
 */
export const EXCERPT = { from: 139, lastSegment: 2, shift: 18949 - 147 } as const

/** First sample of every segment when the dive is told in `samples` samples, and `samples` itself at the end. */
export function segmentStarts(samples: number): number[] {
  const starts = DIVE_SEGMENTS.map(({ start }) => Math.round((start * samples) / DIVE_ROWS))
  return [...starts, samples]
}

/**
 * Wrong labels: single samples labelled with one of the two other levels while the sensors show nothing. Each sample
 * is hit with probability `share`, but never the one after a hit, so that every flip stays isolated.
 */
export class LabelNoise {
  private readonly random: Random
  private readonly share: number
  private flipped = false

  constructor(random: Random, share: number) {
    this.random = random
    // The sample after a flip cannot flip, so flipping with probability s/(1−s) makes the share of flips s.
    this.share = share / (1 - share)
  }

  /** The label to show for `level`; exactly one number is drawn. */
  label(level: number): number {
    const u = this.random.uniform()
    this.flipped = !this.flipped && u < this.share
    return this.flipped ? (level + (u < this.share / 2 ? 1 : 2)) % DIVE_LEVELS.length : level
  }
}
