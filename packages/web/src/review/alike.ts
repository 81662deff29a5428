import type { Question } from '@pb-oel/protocol'

/** Samples within which two questions about the same level are alike. */
const ALIKE = 20

/** Whether two questions ask nearly the same: the same level, at nearly the same moment. */
export function areAlike(
  a: Pick<Question, 'assessment' | 'level' | 'likely'>,
  b: Pick<Question, 'assessment' | 'level' | 'likely'>,
): boolean {
  return a.level === b.level && a.likely === b.likely && Math.abs(a.assessment - b.assessment) <= ALIKE
}
