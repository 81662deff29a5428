import type { SparkplugHost } from '@pb-oel/protocol'
import { Template } from '../mapping/template.ts'
import { TopicPattern } from '../mapping/topic-pattern.ts'
import type { Metric } from './payload.ts'

type Rule = SparkplugHost['rules'][number]

/** Which system a device of Sparkplug is, and which metrics are its channels. */
export class DeviceRule {
  private readonly pattern: TopicPattern
  private readonly node: TopicPattern
  private readonly system: Template
  /** Channels by metric; `undefined`: all are called alike. */
  private readonly channels: ReadonlyMap<string, string> | undefined

  constructor({ device, system, metrics }: Rule) {
    this.pattern = new TopicPattern(device)
    this.node = new TopicPattern(device.split('/').slice(0, 2).join('/'))
    this.system = new Template(system, this.pattern.names)
    this.channels = metrics && new Map(Object.entries(metrics).map(([channel, metric]) => [metric, channel]))
  }

  systemOf(device: string): string | undefined {
    const captures = this.pattern.match(device)
    return captures && this.system.fill(captures, undefined)
  }

  /** Whether a device of an edge node may be meant, or the node itself. */
  meansNode(name: string): boolean {
    return this.node.match(name) !== undefined
  }

  /** Numbers by channel. */
  valuesOf(metrics: readonly Metric[]): Record<string, number | null> {
    const values: Record<string, number | null> = {}
    for (const { name = '', value } of metrics) {
      const channel = this.channels === undefined ? name : this.channels.get(name)
      if (channel !== undefined && value !== undefined) values[channel] = value
    }
    return values
  }
}
