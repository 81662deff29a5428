import type { MqttMapping } from '@pb-oel/protocol'
import type { Bridge, BridgeContext } from '../bridge.ts'
import { BridgedSystems } from '../bridged-systems.ts'
import type { Addressed } from '../mapping/message-rules.ts'
import { MessageRules } from '../mapping/message-rules.ts'
import { type BrokerMessage, Session } from './session.ts'

/** Milliseconds for which a value stands for its channel unless said otherwise: nobody says when a sensor is gone. */
export const LASTS = 60_000

/**
 * The plant's own topics. A message is acknowledged when the sample that holds it is on disk, or when it can never be
 * part of one.
 */
export async function openMqttMapping(
  { url, clientId, username, password, rules, join }: MqttMapping,
  context: BridgeContext,
): Promise<Bridge> {
  const mapping = new MessageRules(rules)
  const systems = new BridgedSystems({ by: 'message', lasts: LASTS, ...join }, context)
  const onMessage = async ({ topic, payload, retained }: BrokerMessage) => {
    let addressed: Addressed[]
    try {
      addressed = mapping.read(topic, payload)
    } catch (error) {
      systems.refuse(undefined, error as Error)
      return
    }
    // One that the broker has kept is of unknown age unless it says otherwise.
    const known = retained ? addressed.filter(({ reading }) => reading.key !== undefined) : addressed
    await Promise.all(known.map(({ system, reading }) => systems.add(system, reading)))
  }
  const session = new Session(
    { url, clientId: clientId ?? `pb-oel-${context.name}`, username, password },
    {
      onMessage,
      onConnect: () => {
        session.client.subscribe(mapping.filters, { qos: 1 })
        context.connected(true)
      },
      onLoss: (reason) => context.connected(false, reason),
    },
  )
  return {
    stop: async () => {
      systems.end()
      await session.stop()
    },
  }
}
