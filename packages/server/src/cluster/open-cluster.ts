import { randomBytes } from 'node:crypto'
import type { Tokens } from '../auth/tokens.ts'
import type { NatsLog } from '../log/nats/nats-log.ts'
import { SERVER_LOG } from '../log/record.ts'
import type { Service } from '../service/service.ts'
import { ClusterNode, type ClusterOptions } from './cluster-node.ts'

/** A worker that is about to join, and the way to leave. */
export interface Cluster {
  node: ClusterNode
  /** Tells workers that a request comes from another one. */
  secret: string
  /** Saves everything, gives the shards back and leaves. */
  leave(): Promise<void>
}

/** Milliseconds between looks at the tokens that others may have made; changes are also announced. */
const TOKENS_EVERY = 5_000
/** Milliseconds until an announced token is stored. */
const STORED_AFTER = 100

/** Makes this process a worker of the cluster its log belongs to; it takes shards after `node.join`. */
export async function openCluster(
  log: NatsLog,
  service: Service,
  tokens: Tokens,
  options: ClusterOptions,
): Promise<Cluster> {
  const secret = await log.shared('secret', () => randomBytes(32).toString('hex'))
  const node = new ClusterNode(log, service, options)
  const refresh = () => void tokens.refresh().catch((error) => options.onTrouble(error, 'reading the tokens'))
  const { clock } = service.time
  const stopRefreshing = clock.every(TOKENS_EVERY, refresh)
  const { nats } = log.cluster
  const subscription = nats.connection.subscribe(log.subjectOf(SERVER_LOG), {
    callback: () => void clock.after(STORED_AFTER, refresh),
  })
  return {
    ...{ node, secret },
    leave: async () => {
      stopRefreshing()
      subscription.unsubscribe()
      await node.leave()
    },
  }
}
