import type { AlarmMessage } from '@pb-oel/protocol'

/** The server that takes mail, and who writes it. */
export interface Smtp {
  host: string
  /** Default 587, or 465 with `secure`. */
  port?: number
  /** TLS from the first byte. Without it, TLS begins as soon as the mail server offers it. */
  secure?: boolean
  username?: string
  password?: string
  /** Such as `pb-oel <alarms@example.com>`. */
  from: string
}

/** Milliseconds that the mail server may let us wait. */
const PATIENCE = 20_000

/**
 * Sends a change of an alarm as a mail; rejects unless the mail server has taken it. A repetition has the same
 * Message-ID, so that mail programs show it once.
 */
export async function mailAlarm(
  smtp: Smtp,
  to: readonly string[],
  message: AlarmMessage,
  patience = PATIENCE,
): Promise<void> {
  const { host, secure = false, port = secure ? 465 : 587, username, password, from } = smtp
  const waits = { connectionTimeout: patience, greetingTimeout: patience, socketTimeout: patience }
  const auth = username === undefined ? undefined : { user: username, pass: password }
  // Most servers send no mail: they start without it.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ host, port, secure, auth, ...waits })
  const { system, sequence } = message
  await transport.sendMail({
    ...{ from, to: [...to], subject: subjectOf(message), text: textOf(message) },
    messageId: `<${system}.${sequence}@pb-oel>`,
  })
}

function subjectOf({ priority, title, rule, about = 'level', status }: AlarmMessage): string {
  return `${priority ?? 'alarm'}: ${title}: ${rule ?? about} (${status})`
}

function textOf(message: AlarmMessage): string {
  const { title, system, rule, about = 'level', number, status, levelName, time, raised } = message
  const { acknowledgedBy, comment, step } = message
  const lines = [
    `${title} (${system}): ${rule ?? about}`,
    `Alarm ${number} is ${status}. The level is ${levelName}.`,
    raised !== undefined && `It was raised at ${new Date(raised).toISOString()}.`,
    `This is from ${new Date(time).toISOString()}.`,
    acknowledgedBy !== undefined && `${acknowledgedBy} has acknowledged it.`,
    comment !== undefined && `Comment: ${comment}`,
    step !== undefined && acknowledgedBy === undefined && `Nobody has acknowledged it: step ${step} of the escalation.`,
  ]
  return lines.filter((line) => typeof line === 'string').join('\n')
}
