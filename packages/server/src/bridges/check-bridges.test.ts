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

  it('and one that can work is not', () => {
    expect(
      check(bridge({ rules: [{ ...rule, system: '{x}', time: '/t' }], join: { by: 'time', within: 10 } })),
    ).not.toThrow()
  })
})
