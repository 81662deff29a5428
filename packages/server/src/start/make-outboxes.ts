import { AlarmOutbox } from '../alarms/outbox.ts'
import { receiverOutboxes } from '../alarms/receivers.ts'
import { postAlarm } from '../alarms/webhook.ts'
import type { App } from '../http/context.ts'
import type { Parts } from './parts.ts'

/** One outbox for each receiver of alarms. */
export function makeOutboxes({ options, service, broker }: Parts, app: App): AlarmOutbox[] {
  const outboxes = (options.webhooks ?? []).map((hook) => {
    return new AlarmOutbox(service, hook.url, (message, signal) => postAlarm(hook, message, service.clock(), signal))
  })
  if (broker) outboxes.push(new AlarmOutbox(service, 'mqtt', (message) => broker.alarms.alarm(message)))
  outboxes.push(...receiverOutboxes(options, service, broker?.alarms))
  for (const outbox of outboxes) {
    outbox.onFailure = (error) => app.log.warn({ reason: error.message }, 'an alarm was not delivered; trying again')
  }
  return outboxes
}
