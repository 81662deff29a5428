import { PbOelError } from '@pb-oel/core'
import type { BridgeRule, KafkaConsumer } from '@pb-oel/protocol'
import { SetupError } from '../errors.ts'
import { nameOf } from './bridges.ts'
import { MessageRules } from './mapping/message-rules.ts'
import { DeviceRule } from './sparkplug/device-rule.ts'

/** Packages that a kind of bridge needs beyond the server itself. */
const PACKAGES = { opcua: ['node-opcua-client', 'node-opcua-certificate-manager'], kafka: ['@platformatic/kafka'] }

/** Finds the mistakes of bridges before anything is opened. */
export function checkBridges(rules: readonly BridgeRule[], checkBroker: (url: string) => void): void {
  const names = rules.map(nameOf)
  const twice = names.find((name, i) => names.indexOf(name) < i)
  if (twice !== undefined) throw new SetupError(`bridges: two are called ${twice}; give each a name of its own`)
  for (const rule of rules) {
    try {
      checkBridge(rule, checkBroker)
    } catch (error) {
      throw error instanceof PbOelError ? new SetupError(`bridge ${nameOf(rule)}: ${error.message}`) : error
    }
  }
}

function checkBridge(rule: BridgeRule, checkBroker: (url: string) => void): void {
  checkJoin(rule)
  if (rule.kind === 'mqtt' || rule.kind === 'sparkplug') checkBroker(rule.url)
  if (rule.kind === 'mqtt') new MessageRules(rule.rules)
  if (rule.kind === 'sparkplug') for (const one of rule.rules) new DeviceRule(one)
  if (rule.kind === 'kafka') checkKafka(rule)
  if (rule.kind === 'opcua' || rule.kind === 'kafka') PACKAGES[rule.kind].forEach(checkPackage)
}

function checkJoin({ kind, join, rules }: BridgeRule): void {
  if (!join) return
  const { by, within, wait, every, lasts } = join
  const unfit = Object.entries({
    within: within !== undefined && by !== 'time',
    wait: wait !== undefined && by !== 'time' && by !== 'tick',
    every: every !== undefined && by !== 'latest',
    lasts: lasts !== undefined && by !== 'latest',
  }).find(([, wrong]) => wrong)
  if (unfit) throw new SetupError(`join: ${unfit[0]} does not go with by ${JSON.stringify(by)}`)
  if (by !== 'time' && by !== 'tick') return
  if (by === 'tick' && kind !== 'mqtt' && kind !== 'kafka') throw new SetupError(`join: ${kind} knows no ticks`)
  const without = rules.findIndex((rule) => 'topic' in rule && rule[by] === undefined)
  if (without >= 0) throw new SetupError(`join by ${by}: rules/${without} does not say where the ${by} is`)
}

function checkKafka({ rules }: KafkaConsumer): void {
  new MessageRules(rules, ['key'])
  const pattern = rules.find(({ topic }) => !/^[\w.-]+$/.test(topic))
  if (pattern) throw new SetupError(`topic ${JSON.stringify(pattern.topic)}: Kafka needs the whole name of a topic`)
}

function checkPackage(name: string): void {
  try {
    import.meta.resolve(name)
  } catch {
    throw new SetupError(`the package ${name} is not installed: npm install ${name}`)
  }
}
