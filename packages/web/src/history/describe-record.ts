import type { LogRecord } from '../api/types.ts'
import { text } from '../strings/en.ts'
import { count } from '../strings/format.ts'

/** Who caused a record; empty for records that no person caused. */
export function who({ body }: LogRecord): string {
  return typeof body.by === 'string' ? body.by : ''
}

/** A record in one line. */
export function describe({ kind, body }: LogRecord, levels: readonly string[]): string {
  const level = (index: unknown) => levels[index as number] ?? String(index)
  const words = text.history.details
  switch (kind) {
    case 'feedback':
    case 'correction':
      return `${words.assessment(count(body.assessment as number))}: ${text.review.said(body.answer as 'confirm', level(body.level))}`
    case 'alarm':
      return `${words.alarm(body.number as number)}: ${text.alarm[body.status as 'normal']}, ${words.level(level(body.level))}`
    case 'acknowledgement':
      return words.alarm(body.number as number)
    case 'configuration':
      return JSON.stringify(body.change)
    case 'assessment':
      return words.level(level(body.level))
    default:
      return ''
  }
}
