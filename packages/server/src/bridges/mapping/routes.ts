import { GivenMapping, MappedMessage } from '@pb-oel/protocol'
import { InvalidRequest, SetupError } from '../../errors.ts'
import type { App, Context } from '../../http/context.ts'
import { SystemParams } from '../../http/parameters.ts'
import { MessageRules } from './message-rules.ts'

/** Tries a rule of a bridge on one message. Nothing is recorded and nothing is subscribed to. */
export function mappingRoutes(app: App, { service }: Context): void {
  app.post('/v1/systems/:id/mapping', {
    config: { permission: 'read' },
    schema: {
      operationId: 'tryMapping',
      summary: 'Say what a rule of an MQTT or Kafka bridge makes of one message; nothing is recorded',
      params: SystemParams,
      body: GivenMapping,
      response: { 200: MappedMessage },
    },
    handler: async (request) => {
      const { channels } = service.get(request.params.id)
      return mapped(request.body, channels)
    },
  })
}

function mapped({ rule, topic, message }: GivenMapping, channels: readonly string[]): MappedMessage {
  const [found] = rulesOf(rule).read(topic, Buffer.from(message))
  if (!found) return { matches: false }
  const { system, reading } = found
  const { values, at, tick } = reading
  const unknown = Object.keys(values).filter((channel) => !channels.includes(channel))
  return {
    matches: true,
    system,
    values,
    unknown,
    ...(at !== undefined && { at }),
    ...(tick !== undefined && { tick }),
  }
}

/** The mistake of a rule is the caller's here. */
function rulesOf(rule: GivenMapping['rule']): MessageRules {
  try {
    return new MessageRules([rule])
  } catch (error) {
    if (error instanceof SetupError) throw new InvalidRequest(error.message)
    throw error
  }
}
