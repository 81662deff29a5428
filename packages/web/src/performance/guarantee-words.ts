import type { Guarantee } from '@pb-oel/protocol'
import { text } from '../strings/en.ts'
import { percent } from '../strings/format.ts'

/** The guarantee in one sentence. */
export function guaranteeWords({ applies, reason, value = 0 }: Guarantee): string {
  if (!applies) return text.live.doesNotApply(reason)
  return value > 0 ? text.live.applies(percent(value)) : text.live.appliesLater
}
