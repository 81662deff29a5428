import { shardOf } from '../log/nats/names.ts'

/** Something that runs at one worker of a cluster at a time: at the one that has the shard of its name. */
export interface Owned {
  name: string
  start(): void | Promise<void>
  stop(): void | Promise<void>
}

/** What belongs to a shard. */
export function ownedIn(owned: readonly Owned[], shard: number, shards: number): Owned[] {
  return owned.filter(({ name }) => shardOf(name, shards) === shard)
}
