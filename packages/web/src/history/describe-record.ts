import type { AlarmChange, LogRecord, SystemEvent } from '@pb-oel/protocol'
import { alarmText, nameOf } from '../strings/alarms.ts'
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
    case 'second-opinion': {
      const answer = words.secondOpinion(text.review.said(body.kind, level(body.level)), body.of, body.agrees)
      return `${words.assessment(count(body.assessment))}: ${answer}`
    }
    case 'abstention':
      return words.noted(words.assessment(count(body.assessment)), body.note)
    case 'comment':
      return words.noted(words.assessment(count(body.assessment)), body.text)
    case 'assignment': {
      const { assessment, to } = body
      return words.assigned(assessment === undefined ? words.allQuestions : words.assessment(count(assessment)), to)
    }
    case 'alarm':
      return `${alarmName(body)}: ${[alarmState(body), words.level(level(body.level))].join(', ')}${said(body.comment)}`
    case 'acknowledgement':
      return `${alarmName(body)}${said(body.comment)}`
    case 'alarm-action':
      return `${alarmText.actionOf(nameOf(body.about), body.action)}${said(body.comment)}`
    case 'stretch': {
      const answer = text.review.said(body.kind, level(body.level))
      return words.stretch(count(body.from), count(body.to), body.answered, answer, body.note)
    }
    case 'withdrawal':
      return words.withdrawal(count(body.stretch), body.answered)
    case 'exclusion':
      return words.excluded(count(body.from), count(body.to), body.why)
    case 'clock':
      return body.jump === 0 ? words.pace(body.pace) : text.clock.jumped(jumpSize(body.jump), body.jump > 0)
    case 'channel':
    case 'level':
      return body.name
    case 'configuration':
      return JSON.stringify(body.change)
    case 'assessment':
      return words.level(level(body.level))
    default:
      return ''
  }
}

/** Such as "alarm 3" or "stale alarm 1". */
function alarmName({ about, number }: { about?: string; number: number }): string {
  const words = text.history.details
  if (about === undefined) return words.alarm(number)
  if (about === 'accuracy') return words.accuracyAlarm(number)
  return about === 'stale' ? words.staleAlarm(number) : alarmText.ruleAlarm(about, number)
}

function alarmState({ about, status, cause, keptAccuracy }: AlarmChange): string {
  if (cause) return alarmText.cause[cause]
  if (about === 'accuracy' && status === 'active' && keptAccuracy !== undefined) {
    return `${text.accuracyAlarm.short}, ${text.history.details.below(atLeast(keptAccuracy))}`
  }
  return about === 'stale' ? text.staleAlarm[status] : text.alarm[status]
}

function said(comment: string | undefined): string {
  return comment === undefined ? '' : ` ${alarmText.comment.said(comment)}`
}
