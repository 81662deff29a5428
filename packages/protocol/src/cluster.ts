import { type Static, Type } from '@sinclair/typebox'

/** A cluster as one of its workers sees it. */
export const ClusterView = Type.Object({
  session: Type.String({ description: 'name of this worker, new with every start' }),
  valid: Type.Boolean({ description: 'whether the lease of this worker runs' }),
  term: Type.Integer({ description: 'number of changes so far' }),
  workers: Type.Record(Type.String(), Type.String(), { description: 'addresses by session' }),
  shards: Type.Array(Type.Union([Type.Null(), Type.Object({ owner: Type.String(), token: Type.Integer() })]), {
    description: 'owner and fencing token of each shard',
  }),
  ready: Type.Array(Type.Integer(), { description: 'shards of this worker that take requests' }),
})
export type ClusterView = Static<typeof ClusterView>
