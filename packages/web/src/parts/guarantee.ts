import type { Guarantee } from '../api/types.ts'
import { percent } from '../format.ts'
import { text } from '../strings/en.ts'

/** What is guaranteed, in one sentence. */
export function guaranteeWords({ applies, reason, value = 0 }: Guarantee): string {
  if (!applies) return text.live.doesNotApply(reason)
  return value > 0 ? text.live.applies(percent(value)) : text.live.appliesLater
}
