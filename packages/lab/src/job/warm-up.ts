import type { LabelledSample, Stream } from '@pb-oel/core'

/** What a method is given before it starts: so many samples from the beginning, or the first of each level. */
export function warmUpOf(stream: Stream, samples: number | undefined): LabelledSample[] {
  if (samples === undefined) return firstOfEachLevel(stream)
  const found: LabelledSample[] = []
  for (const { x, level } of stream) {
    if (found.length === samples) break
    found.push({ x: [...x], level })
  }
  return found
}

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
