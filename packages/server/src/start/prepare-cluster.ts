import { type Cluster, openCluster } from '../cluster/open-cluster.ts'
import { ownedIn } from '../cluster/owned.ts'
import { shardOf } from '../log/nats/names.ts'
import { NatsLog } from '../log/nats/nats-log.ts'
import { ownedOf } from './make-bridges.ts'
import { makeSystems } from './make-systems.ts'
import type { Parts } from './parts.ts'

/** Seconds a worker's lease lasts unless configured otherwise. */
const LEASE_SECONDS = 5

/** The cluster that the log belongs to, where it does; it takes shards after `node.join`. */
export async function prepareCluster(parts: Parts): Promise<Cluster | undefined> {
  const { log, service, tokens, metrics, options } = parts
  if (!(log instanceof NatsLog)) return undefined
  return openCluster(log, service, tokens, {
    leaseSeconds: options.nats?.leaseSeconds ?? LEASE_SECONDS,
    onReady: async (shard) => {
      await makeSystems(parts, (id) => shardOf(id, log.shards) === shard)
      for (const one of ownedIn(ownedOf(parts), shard, log.shards)) await one.start()
    },
    onTrouble: (error, what) => {
      metrics.trouble()
      parts.note({ reason: error.message }, `${what} failed; trying again`)
    },
    onChange: (shard, state, ms) => {
      parts.note({ shard, state, ms: Math.round(ms) }, 'shard')
      if (state === 'gone') for (const one of ownedIn(ownedOf(parts), shard, log.shards)) void one.stop()
    },
  })
}
