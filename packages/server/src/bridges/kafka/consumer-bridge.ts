import { hash } from 'node:crypto'
import type { KafkaConsumer } from '@pb-oel/protocol'
import type { Consumer, Message } from '@platformatic/kafka'
import type { Bridge, BridgeContext } from '../bridge.ts'
import { BridgedSystems } from '../bridged-systems.ts'
import { MessageRules } from '../mapping/message-rules.ts'
import { LASTS } from '../mqtt/mapping-bridge.ts'
import { retrying } from '../retrying.ts'
import { FinishedOffsets } from './finished-offsets.ts'

/** Messages that are not finished, at most: no more are read until some are. */
const MOST_UNFINISHED = 10_000
/** Milliseconds between two commits of offsets. */
const COMMIT_EVERY = 200

/** What is used of a consumer of the library. */
type KafkaClient = Pick<Consumer<Buffer, Buffer, Buffer, Buffer>, 'consume' | 'commit' | 'close'>

/** Makes a consumer. */
export type ConnectKafka = (options: KafkaConsumer, name: string) => Promise<KafkaClient>

interface Partition {
  topic: string
  partition: number
  leaderEpoch: number
  offsets: FinishedOffsets
}

/**
 * Opens a consumer. The offset of a message is committed after the sample that holds it is on disk. A message that
 * comes again is recognised by its place, so that it is in the log exactly once.
 */
export async function openKafka(
  options: KafkaConsumer,
  context: BridgeContext,
  connect: ConnectKafka = consumerOf,
): Promise<Bridge> {
  const { rules, join } = options
  const mapping = new MessageRules(rules, ['key'])
  const systems = new BridgedSystems({ by: 'message', lasts: LASTS, ...join }, context)
  const connection = async (begun: () => void, signal: AbortSignal) => {
    const consumer = await connect(options, context.name)
    const partitions = new Map<string, Partition>()
    const commit = () => commitFinished(consumer, partitions)
    try {
      const topics = [...new Set(rules.map(({ topic }) => topic))]
      const { from = 'earliest' } = options
      const stream = await consumer.consume({ topics, mode: 'committed', fallbackMode: from })
      signal.addEventListener('abort', () => void stream.close().catch(() => {}))
      begun()
      const stopCommitting = context.clock.every(COMMIT_EVERY, () => {
        void commit().catch((error: Error) => stream.destroy(error))
      })
      try {
        for await (const message of stream) await take(message, { mapping, systems, partitions, context, signal })
      } finally {
        stopCommitting()
      }
    } finally {
      await commit().catch(() => {})
      await consumer.close(true).catch(() => {})
    }
  }
  return retrying(context, connection, () => systems.end())
}

async function consumerOf(options: KafkaConsumer, name: string): Promise<Consumer<Buffer, Buffer, Buffer, Buffer>> {
  const { Consumer } = await import('@platformatic/kafka')
  return new Consumer(consumerOptions(options, name))
}

/** What the library is told of a bridge. */
export function consumerOptions(options: KafkaConsumer, name: string) {
  const { brokers, group = `pb-oel-${name}`, tls = false, username, password = '', mechanism = 'PLAIN' } = options
  return {
    ...{ clientId: 'pb-oel', groupId: group, bootstrapBrokers: brokers, autocommit: false },
    ...(tls && { tls: {} }),
    ...(username !== undefined && { sasl: { mechanism, username, password } }),
  }
}

interface Taking {
  mapping: MessageRules
  systems: BridgedSystems
  partitions: Map<string, Partition>
  context: BridgeContext
  signal: AbortSignal
}

/** Takes a message; resolves when the next one may be read, not when this one is finished. */
async function take(message: Message, { mapping, systems, partitions, context, signal }: Taking): Promise<void> {
  const { topic, partition, offset, leaderEpoch = -1 } = message as Message & { leaderEpoch?: number }
  const place = `${topic} ${partition}`
  const known = partitions.get(place) ?? { topic, partition, leaderEpoch, offsets: new FinishedOffsets() }
  partitions.set(place, { ...known, leaderEpoch })
  known.offsets.begin(offset)
  void handle(message, mapping, systems).then(() => known.offsets.finish(offset))
  const unfinished = () => [...partitions.values()].reduce((sum, { offsets }) => sum + offsets.unfinished, 0)
  while (unfinished() >= MOST_UNFINISHED && !signal.aborted) await context.clock.pause(COMMIT_EVERY, signal)
}

async function handle(
  { topic, partition, offset, key, value }: Message,
  mapping: MessageRules,
  systems: BridgedSystems,
) {
  try {
    const addressed = mapping.read(topic, value ?? Buffer.alloc(0), { key: key?.toString() ?? '' })
    const place = hash('sha256', `${topic} ${partition}`).slice(0, 16)
    await Promise.all(
      addressed.map(({ system, reading }, i) => {
        const own = reading.key?.startsWith('id:') ? reading.key : `${place}:${offset}:${i}`
        return systems.add(system, { ...reading, key: own })
      }),
    )
  } catch (error) {
    systems.refuse(undefined, error as Error)
  }
}

async function commitFinished(consumer: KafkaClient, partitions: ReadonlyMap<string, Partition>): Promise<void> {
  const offsets = [...partitions.values()].flatMap(({ topic, partition, leaderEpoch, offsets }) => {
    const offset = offsets.take()
    return offset === undefined ? [] : [{ topic, partition, offset, leaderEpoch }]
  })
  if (offsets.length > 0) await consumer.commit({ offsets })
}
