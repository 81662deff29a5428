import { createHmac } from 'node:crypto'
import type { AlarmMessage } from '@pb-oel/protocol'
import { deadline, systemClock } from '../clock/clock.ts'

/** A web address that wants to know of alarms. */
export interface Webhook {
  url: string
  /** Signs the body, so that the receiver knows who sent it. */
  secret: string
}

/** Seconds an attempt may take. */
const PATIENCE = 10

/**
 * Posts a change of an alarm; rejects unless the receiver says 2xx.
 *
 * `x-pb-oel-signature` is `t=<seconds>,v1=<hex>`: the HMAC-SHA-256 of `<seconds>.<body>` under the secret.
 */
export async function postAlarm(
  { url, secret }: Webhook,
  message: AlarmMessage,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  const body = JSON.stringify(message)
  const response = await fetch(url, {
    method: 'POST',
    body,
    redirect: 'error',
    headers: { 'content-type': 'application/json', 'x-pb-oel-signature': sign(secret, body, now) },
    signal: AbortSignal.any([signal, deadline(systemClock, PATIENCE * 1000)]),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`webhook ${new URL(url).host} answered ${response.status}`)
}

/** The signature of a body at a moment, for the header `x-pb-oel-signature`. */
function sign(secret: string, body: string, now: number): string {
  const seconds = Math.floor(now / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}
