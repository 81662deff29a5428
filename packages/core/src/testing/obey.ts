import { it } from 'vitest'
import type { Law } from '../laws/law.ts'

/** Makes a test of each law. */
export function obey(laws: readonly Law[]): void {
  for (const { name, excused, check } of laws) it.skipIf(excused !== undefined)(name, check)
}
