import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import { ID_HEADER } from './bundle.ts'
import type { Nats } from './connection.ts'
import type { LeaderMessage } from './leader-message.ts'
import { isPassing, patiently } from './patience.ts'

/** Where messages are: a subject of a stream. */
export interface Address {
  stream: string
  subject: string
}

/** Messages that are fetched one by one before a consumer is made: each takes a round trip. */
export const SINGLY = 64
/** Messages asked for at once from a consumer. */
const PAGE = 1_024
/** Milliseconds a consumer has to hand out what it has. */
const FETCH_EXPIRES = 2_000

/**
 * The messages of a subject from a place to its end, both included.
 * @param many whether the caller wants many of them: then a consumer is made at once
 */
export async function* subjectMessages(
  nats: Nats,
  address: Address,
  { from, end, many }: { from: number; end: number; many: boolean },
): AsyncGenerator<LeaderMessage> {
  const { stream, subject } = address
  let place = from
  for (let singly = many ? 0 : SINGLY; place <= end; singly = PAGE) {
    for (let i = 0; i < singly && place <= end; i++) {
      const query = { seq: Math.max(1, place), next_by_subj: subject }
      const message = await patiently(stream, () => nats.message(stream, query))
      if (!message || message.seq > end) return
      place = message.seq + 1
      yield message
    }
    // A replica may lag: the messages it does not have yet are then read from the leader, one by one.
    for await (const message of consume(nats, address, place, end)) {
      place = message.seq + 1
      yield message
    }
  }
}

/** The messages of a subject from a place to its end that one replica has; it does not wait for the others. */
async function* consume(
  nats: Nats,
  { stream, subject }: Address,
  from: number,
  end: number,
): AsyncGenerator<LeaderMessage> {
  if (from > end) return
  const config = {
    ...{ filter_subject: subject, deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: from },
    ...{ ack_policy: AckPolicy.None, mem_storage: true, num_replicas: 1, inactive_threshold: nanos(30_000) },
  }
  const made = await patiently(stream, () => nats.jsm.consumers.add(stream, config))
  const consumer = nats.js.consumers.getConsumerFromInfo(made)
  let delivered = 0
  try {
    for (let pending = made.num_pending; pending > 0; ) {
      const messages = await consumer.fetch({ max_messages: Math.min(PAGE, pending), expires: FETCH_EXPIRES })
      const before = delivered
      for await (const { seq, headers, data, info } of messages) {
        // A broken connection has lost some.
        if (seq > end || info.deliverySequence !== delivered + 1) return
        delivered++
        pending = info.pending
        yield { seq, id: headers?.get(ID_HEADER) ?? '', data }
      }
      if (delivered === before) return
    }
  } catch (error) {
    if (!isPassing(error as Error)) throw error
  } finally {
    // Nobody waits for this: a consumer that stays goes by itself.
    void nats.jsm.consumers.delete(stream, made.name).catch(() => {})
  }
}
