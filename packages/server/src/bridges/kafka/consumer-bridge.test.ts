import { PassThrough } from 'node:stream'
import type { GivenSample, KafkaConsumer } from '@pb-oel/protocol'
import { describe, expect, it } from 'vitest'
import type { Intake } from '../intake.ts'
import { bridgeContext } from '../testing/bridge-context.ts'
import { type ConnectKafka, consumerOptions, openKafka } from './consumer-bridge.ts'

const OPTIONS: KafkaConsumer = {
  ...{ kind: 'kafka', brokers: ['a:9092', 'b:9092'] },
  rules: [{ topic: 'works', system: '{key}', values: { pressure: '/p' } }],
}

/** A bridge on a topic that is filled here, and a system that stores a sample when it is told to. */
async function bridged(options: KafkaConsumer = OPTIONS) {
  const samples: GivenSample[] = []
  const storing: (() => void)[] = []
  const intake = {
    channels: async () => ['pressure'],
    samples: async (_system: string, given: readonly GivenSample[]) => {
      samples.push(...given)
      await new Promise<void>((stored) => storing.push(stored))
      return given.map(() => ({}))
    },
  } as unknown as Intake
  const { context, clock, told } = bridgeContext(intake)
  const topic = new PassThrough({ objectMode: true })
  const consumed: unknown[] = []
  const committed: string[] = []
  const connect: ConnectKafka = async () =>
    ({
      consume: async (how: unknown) => {
        consumed.push(how)
        return Object.assign(topic, { close: async () => void topic.end() })
      },
      commit: async ({ offsets }: { offsets: { topic: string; partition: number; offset: bigint }[] }) => {
        committed.push(...offsets.map(({ topic, partition, offset }) => `${topic}/${partition}: ${offset}`))
      },
      close: async () => {},
    }) as unknown as Awaited<ReturnType<ConnectKafka>>
  const bridge = await openKafka(options, context, connect)
  const send = (partition: number, offset: number, value: string, key = 'tank') =>
    topic.write({ topic: 'works', partition, offset: BigInt(offset), key: Buffer.from(key), value: Buffer.from(value) })
  /** Lets what has come be taken. */
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  }
  return { bridge, clock, told, samples, storing, consumed, committed, send, settle }
}

describe('messages of Kafka', () => {
  it('are committed after the sample that holds them is on disk, not before, one partition apart from another', async () => {
    const { bridge, clock, samples, storing, committed, send, settle } = await bridged()
    send(0, 7, '{"p":1}')
    send(1, 7, '{"p":2}', 'other')
    await settle()
    expect(samples.map(({ values }) => values)).toEqual([{ pressure: 1 }, { pressure: 2 }])
    await clock.advance(1_000)
    expect(committed).toEqual(['works/0: 7', 'works/1: 7'])
    storing[0]()
    await settle()
    await clock.advance(199)
    await settle()
    expect(committed).toHaveLength(2)
    await clock.advance(1)
    await settle()
    expect(committed.slice(2)).toEqual(['works/0: 8'])
    storing[1]()
    await settle()
    await bridge.stop()
    expect(committed.slice(3)).toEqual(['works/1: 8'])
  })

  it('are recognised by their place, or by the id that a rule names', async () => {
    const keysOf = async (options?: KafkaConsumer) => {
      const { bridge, samples, storing, send, settle } = await bridged(options)
      for (const [partition, offset] of [
        [0, 1],
        [0, 2],
        [1, 1],
      ] as const) {
        send(partition, offset, '{"p":1,"id":"x"}')
        await settle()
        storing.at(-1)?.()
        await settle()
      }
      await bridge.stop()
      return samples.map(({ key }) => key)
    }
    const places = await keysOf()
    expect(new Set(places).size).toBe(3)
    expect(await keysOf()).toEqual(places)
    const [rule] = OPTIONS.rules
    expect(new Set(await keysOf({ ...OPTIONS, rules: [{ ...rule, id: '/id' }] })).size).toBe(1)
  })

  it('that can never be a sample are finished: nothing waits for them', async () => {
    const { bridge, clock, told, committed, send, settle } = await bridged()
    send(0, 4, 'rubbish')
    await settle()
    await clock.advance(200)
    await settle()
    expect([told.outcomes, committed]).toEqual([['refused'], ['works/0: 5']])
    await bridge.stop()
  })

  it('are read from where the group is, or else from the earliest', async () => {
    const [usual, latest] = [await bridged(), await bridged({ ...OPTIONS, from: 'latest' })]
    await usual.settle()
    expect([...usual.consumed, ...latest.consumed]).toEqual([
      { topics: ['works'], mode: 'committed', fallbackMode: 'earliest' },
      { topics: ['works'], mode: 'committed', fallbackMode: 'latest' },
    ])
    await Promise.all([usual.bridge.stop(), latest.bridge.stop()])
  })
})

it('the library commits nothing by itself, and speaks TLS and SASL where it is told to', () => {
  const plain = { clientId: 'pb-oel', groupId: 'pb-oel-bus', bootstrapBrokers: ['a:9092', 'b:9092'], autocommit: false }
  expect(consumerOptions(OPTIONS, 'bus')).toEqual(plain)
  const more = { group: 'g', tls: true, username: 'eva', password: 'secret' }
  expect(consumerOptions({ ...OPTIONS, ...more }, 'bus')).toEqual({
    ...{ ...plain, groupId: 'g', tls: {} },
    sasl: { mechanism: 'PLAIN', username: 'eva', password: 'secret' },
  })
})
