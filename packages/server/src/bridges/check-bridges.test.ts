import type { BridgeRule } from '@pb-oel/protocol'
import { describe, expect, it } from 'vitest'
import { checkBridges } from './check-bridges.ts'

const rule = { topic: 'a/{x}', system: 's', values: { c: '/v' } }
const bridge = (more: object) => ({ kind: 'mqtt', url: 'mqtt://b', rules: [rule], ...more }) as BridgeRule
const check =
  (...bridges: BridgeRule[]) =>
  () =>
    checkBridges(bridges, () => {})

describe('a bridge that cannot work is found at the start', () => {
  it.each([
    [[bridge({}), bridge({})], 'bridges: two are called mqtt; give each a name of its own'],
    [[bridge({ rules: [{ ...rule, topic: 'a/#/b' }] })], 'bridge mqtt: topic "a/#/b": "#" should be'],
    [
      [bridge({ rules: [{ ...rule, system: '{y}' }] })],
      'bridge mqtt: "{y}": there is nothing that {y} stands for; the topic remembers x',
    ],
    [[bridge({ join: { by: 'time' } })], 'bridge mqtt: join by time: rules/0 does not say where the time is'],
    [[bridge({ join: { by: 'message', every: 100 } })], 'bridge mqtt: join: every does not go with by "message"'],
    [
      [{ kind: 'sparkplug', name: 'sp', url: 'mqtt://b', rules: [{ device: 'g/e+', system: 's' }] } as BridgeRule],
      'bridge sp: topic "g/e+"',
    ],
  ])('%#', (bridges, message) => expect(check(...bridges)).toThrow(message))

  const kafka = (more: object) =>
    ({
      kind: 'kafka',
      brokers: ['b:9092'],
      rules: [{ ...rule, topic: 'whole', system: '{key}' }],
      ...more,
    }) as BridgeRule
  const sparkplug = (more: object) =>
    ({ kind: 'sparkplug', url: 'mqtt://b', rules: [{ device: 'g/e', system: 's' }], ...more }) as BridgeRule

  it.each([
    ['time', ['within', 'wait']],
    ['tick', ['wait']],
    ['latest', ['every', 'lasts']],
    ['message', []],
  ] as const)('joined by %s: %j go with it, and nothing else does', (by, fit) => {
    const rules = [{ ...rule, system: '{x}', time: '/t', tick: '/n' }]
    for (const field of ['within', 'wait', 'every', 'lasts']) {
      const attempt = expect(check(bridge({ rules, join: { by, [field]: 100 } })), field)
      if ((fit as readonly string[]).includes(field)) attempt.not.toThrow()
      else attempt.toThrow(`join: ${field} does not go with by "${by}"`)
    }
  })

  it('ticks are known to MQTT and Kafka alone, and Kafka needs whole names of topics', () => {
    expect(check(sparkplug({ join: { by: 'tick' } }))).toThrow('bridge sparkplug: join: sparkplug knows no ticks')
    expect(check(sparkplug({ join: { by: 'time' } }))).not.toThrow()
    expect(check(kafka({}))).not.toThrow()
    expect(check(kafka({ rules: [{ ...rule, topic: 'a/b' }] }))).toThrow('Kafka needs the whole name of a topic')
    expect(check(kafka({ rules: [{ ...rule, topic: '{x}' }] }))).toThrow('Kafka needs the whole name of a topic')
  })

  it('the address of each broker is checked', () => {
    const urls: string[] = []
    checkBridges([bridge({ rules: [{ ...rule, system: 's' }] }), sparkplug({ url: 'mqtts://c' })], (url) =>
      urls.push(url),
    )
    expect(urls).toEqual(['mqtt://b', 'mqtts://c'])
  })

  it('and one that can work is not', () => {
    expect(
      check(bridge({ rules: [{ ...rule, system: '{x}', time: '/t' }], join: { by: 'time', within: 10 } })),
    ).not.toThrow()
  })
})
