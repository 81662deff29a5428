import type { LabelledSample, Stream } from '@pb-oel/core'

/** The first sample of each level in the order of the stream: the paper's warm-up set. */
export function firstOfEachLevel(stream: Stream): LabelledSample[] {
  const found: LabelledSample[] = []
  for (const { x, level } of stream) {
    if (found.some((sample) => sample.level === level)) continue
    found.push({ x: [...x], level })
    if (found.length === stream.levels.length) break
  }
  return found
}
