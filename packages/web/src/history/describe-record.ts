import type { LogRecord, SystemEvent } from '@pb-oel/protocol'
import { text } from '../strings/en.ts'
import { atLeast, count, jumpSize } from '../strings/format.ts'

/** Who caused a record; empty for records that no person caused. */
export function who({ body }: LogRecord): string {
  return typeof body.by === 'string' ? body.by : ''
}

/** A record in one line. */
export function describe(record: LogRecord, levels: readonly string[]): string {
  const { kind, body } = record as unknown as SystemEvent
  const level = (index?: number) => levels[index ?? -1] ?? String(index)
  const words = text.history.details
  switch (kind) {
    case 'feedback':
    case 'correction':
      return `${words.assessment(count(body.assessment))}: ${text.review.said(body.kind, level(body.level))}`
    case 'alarm':
      if (body.about === 'accuracy') {
        const { number, status, keptAccuracy } = body
        const fell = status === 'active' && keptAccuracy !== undefined
        const state = fell ? `${text.accuracyAlarm.short}, ${words.below(atLeast(keptAccuracy))}` : text.alarm[status]
        return `${words.accuracyAlarm(number)}: ${state}`
      }
      if (body.about === 'stale') return `${words.staleAlarm(body.number)}: ${text.staleAlarm[body.status]}`
      return `${words.alarm(body.number)}: ${text.alarm[body.status]}, ${words.level(level(body.level))}`
    case 'acknowledgement':
      return words[body.about === 'accuracy' ? 'accuracyAlarm' : body.about === 'stale' ? 'staleAlarm' : 'alarm'](
        body.number,
      )
    case 'stretch': {
      const said = text.review.said(body.kind, level(body.level))
      return words.stretch(count(body.from), count(body.to), body.answered, said, body.note)
    }
    case 'withdrawal':
      return words.withdrawal(count(body.stretch), body.answered)
    case 'exclusion':
      return words.excluded(count(body.from), count(body.to), body.why)
    case 'clock':
      return body.jump === 0 ? words.pace(body.pace) : text.clock.jumped(jumpSize(body.jump), body.jump > 0)
    case 'configuration':
      return JSON.stringify(body.change)
    case 'assessment':
      return words.level(level(body.level))
    default:
      return ''
  }
}
