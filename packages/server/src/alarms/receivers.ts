import type { Receiver } from '../config.ts'
import type { Service } from '../service/service.ts'
import { mailAlarm, type Smtp } from './mail.ts'
import { AlarmOutbox, type SendAlarm } from './outbox.ts'
import { postAlarm } from './webhook.ts'

/** What publishes on a topic of the broker. */
interface Publisher {
  escalation(topic: string, message: Parameters<SendAlarm>[0]): Promise<void>
}

/**
 * One outbox for each receiver that an escalation can tell. It sends the changes that name the receiver: the step that
 * reached it, and how the alarm went on. As with any outbox, a change goes out when it is on disk, at least once.
 */
export function receiverOutboxes(
  { receivers = {}, smtp }: { receivers?: Record<string, Receiver>; smtp?: Smtp },
  service: Service,
  broker: Publisher | undefined,
  firstWait?: number,
): AlarmOutbox[] {
  service.receivers = new Set(Object.keys(receivers))
  return Object.entries(receivers).map(([name, receiver]) => {
    const outbox = new AlarmOutbox(service, name, sender(receiver, smtp, service, broker), firstWait)
    outbox.wants = ({ tell }) => tell?.includes(name) ?? false
    return outbox
  })
}

/** How a receiver is told. The start has checked that what it needs is there. */
function sender(
  { webhook, mqtt, email }: Receiver,
  smtp: Smtp | undefined,
  service: Service,
  broker: Publisher | undefined,
): SendAlarm {
  if (webhook) return (message, signal) => postAlarm(webhook, message, service.clock(), signal)
  if (email && smtp) return (message) => mailAlarm(smtp, email, message)
  if (mqtt !== undefined && broker) return (message) => broker.escalation(mqtt, message)
  throw new Error('a receiver without a way to tell it')
}
