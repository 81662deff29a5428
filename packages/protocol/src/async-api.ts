import type { TSchema } from '@sinclair/typebox'
import { AlarmMessage } from './alarm.ts'
import { EVENT_DATA } from './event.ts'
import { MQTT_PAYLOADS } from './mqtt.ts'

/** What each MQTT topic carries, and who sends it. */
const TOPICS: Record<keyof typeof MQTT_PAYLOADS, { action: 'receive' | 'send'; summary: string }> = {
  sample: { action: 'receive', summary: 'One sample, or a list of them' },
  feedback: { action: 'receive', summary: 'One answer, or a list of them' },
  assessment: { action: 'send', summary: 'Each sample with its assessment, when both are on disk' },
  alarm: { action: 'send', summary: 'Each change of an alarm, at least once and in order; retained' },
  'accuracy-alarm': { action: 'send', summary: 'Each change of the alarm about a fall of accuracy; retained' },
  'stale-alarm': { action: 'send', summary: 'Each change of the alarm about stale data; retained' },
  problem: { action: 'send', summary: 'Why an entry of a message was refused' },
}

interface Message {
  name: string
  contentType: string
  payload: TSchema
}

const message = (name: string, payload: TSchema): Message => ({ name, contentType: 'application/json', payload })

/** The AsyncAPI 3.0 document of everything that is not a request: server-sent events, MQTT and webhooks. */
export function asyncApi(): object {
  const events = Object.entries(EVENT_DATA).map(([name, schema]) => [name, message(name, schema)])
  const parameters = { system: { description: 'name of the system' } }
  const channels: Record<string, object> = {
    events: { address: '/v1/systems/{system}/events', parameters, messages: Object.fromEntries(events) },
    webhook: {
      address: null,
      description: 'the address in the configuration',
      messages: { alarm: message('alarm', AlarmMessage) },
    },
  }
  const operations: Record<string, object> = {
    followEvents: { action: 'send', channel: { $ref: '#/channels/events' }, summary: 'Records as they reach the disk' },
    postAlarm: { action: 'send', channel: { $ref: '#/channels/webhook' }, summary: 'Each change of an alarm' },
  }
  for (const [name, { action, summary }] of Object.entries(TOPICS)) {
    const payload = MQTT_PAYLOADS[name as keyof typeof MQTT_PAYLOADS]
    const channel = `mqtt-${name}`
    channels[channel] = { address: `pb-oel/{system}/${name}`, parameters, messages: { [name]: message(name, payload) } }
    operations[`${action}-${name}`] = { action, channel: { $ref: `#/channels/${channel}` }, summary }
  }
  const info = { title: 'pb-oel', version: '1', description: 'Server-sent events, MQTT messages and webhooks.' }
  return { asyncapi: '3.0.0', info, channels, operations }
}
