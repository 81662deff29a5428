/**
 * The assessments whose samples the model has forgotten: ranges that are apart and in order, each from its first to its
 * last. People and the log go on counting these samples; the model does not.
 */
export type Excluded = readonly (readonly [from: number, to: number])[]

/** The same with one more range. */
export function withRange(excluded: Excluded, from: number, to: number): Excluded {
  const apart = excluded.filter(([first, last]) => last < from - 1 || first > to + 1)
  const joined = excluded.filter((range) => !apart.includes(range))
  const whole = [
    Math.min(from, ...joined.map(([first]) => first)),
    Math.max(to, ...joined.map(([, last]) => last)),
  ] as const
  return [...apart, whole].sort(([a], [b]) => a - b)
}

/** Whether the model has forgotten the sample of an assessment. */
export function isExcluded(excluded: Excluded, assessment: number): boolean {
  return excluded.some(([first, last]) => first <= assessment && assessment <= last)
}

/** How many are excluded among the assessments before this one. */
export function excludedBefore(excluded: Excluded, assessment: number): number {
  return excluded.reduce((sum, [first, last]) => sum + Math.max(0, Math.min(last + 1, assessment) - first), 0)
}
