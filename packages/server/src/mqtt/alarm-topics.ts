import type { AlarmMessage } from '@pb-oel/protocol'
import type { MqttClient } from 'mqtt'
import type { Metrics } from '../metrics/metrics.ts'

/** Publishes alarms at a broker, QoS 1. */
export class AlarmTopics {
  private readonly client: MqttClient
  private readonly metrics: Metrics

  constructor(client: MqttClient, metrics: Metrics) {
    this.client = client
    this.metrics = metrics
  }

  /** Publishes a change of an alarm; resolves when the broker has it. Retained, so that whoever comes later knows. */
  alarm(message: AlarmMessage): Promise<void> {
    const topic = message.about === undefined ? 'alarm' : (`${message.about}-alarm` as const)
    return this.publish(`pb-oel/${message.system}/${topic}`, message, true)
  }

  /** Publishes a change of an alarm on a topic that a receiver of escalations reads. */
  escalation(topic: string, message: AlarmMessage): Promise<void> {
    return this.publish(topic, message, false)
  }

  private async publish(topic: string, message: AlarmMessage, retain: boolean): Promise<void> {
    await this.client.publishAsync(topic, JSON.stringify(message), { qos: 1, retain })
    this.metrics.mqtt('published')
  }
}
