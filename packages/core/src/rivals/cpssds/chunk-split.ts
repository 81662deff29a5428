/** Where the samples of a chunk go: positions in the chunk. */
export interface ChunkSplit {
  /** Labelled samples to learn from. */
  readonly learning: readonly number[]
  /** Labelled samples that calibrate the p-values. */
  readonly calibration: readonly number[]
  /** Samples used without their label. */
  readonly unlabelled: readonly number[]
}

/**
 * Splits a chunk of CPSSDS: of the known samples, in the order given, the first `labels` are used as labelled, of these
 * the first share `calibration` calibrates; all others are unlabelled.
 *
 * @param size samples of the chunk
 * @param known positions of the samples whose level is known
 */
export function splitChunk(size: number, known: readonly number[], labels: number, calibration: number): ChunkSplit {
  const labelled = known.slice(0, labels)
  const used = new Set(labelled)
  const unlabelled = positions(size).filter((at) => !used.has(at))
  const cut = Math.round(calibration * labelled.length)
  return { learning: labelled.slice(cut), calibration: labelled.slice(0, cut), unlabelled }
}

/**
 * The same as in the published code, whose slices all end one element early, and which sets the first fifth of a chunk
 * aside as a test set: of 200 samples with a fifth labelled, 26 are learned, 11 calibrate, 118 are unlabelled.
 */
export function splitChunkEarly(
  size: number,
  known: readonly number[],
  labels: number,
  calibration: number,
): ChunkSplit {
  const test = Math.round(0.2 * size)
  const train = positions(size).slice(test, -1)
  const first = known.filter((at) => at >= test && at < size - 1).slice(0, labels)
  const used = new Set(first)
  const unlabelled = train.filter((at) => !used.has(at)).slice(0, -1)
  const labelled = first.slice(0, -1)
  const cut = Math.round(calibration * labelled.length)
  return { learning: labelled.slice(cut, -1), calibration: labelled.slice(0, Math.max(0, cut - 1)), unlabelled }
}

function positions(size: number): number[] {
  return Array.from({ length: size }, (_, at) => at)
}
