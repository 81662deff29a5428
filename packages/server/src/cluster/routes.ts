import { Type } from '@sinclair/typebox'
import type { App } from '../http/context.ts'
import type { ClusterNode } from './cluster-node.ts'

/** The cluster as this worker sees it. */
export function clusterRoutes(app: App, cluster: ClusterNode): void {
  app.get('/v1/cluster', {
    config: { permission: 'read', allSystems: true },
    schema: {
      operationId: 'getCluster',
      summary: 'Which workers there are, and who has which shards',
      response: {
        200: Type.Object({
          session: Type.String({ description: 'name of this worker, new with every start' }),
          valid: Type.Boolean({ description: 'whether the lease of this worker runs' }),
          term: Type.Integer({ description: 'number of changes so far' }),
          workers: Type.Record(Type.String(), Type.String(), { description: 'addresses by session' }),
          shards: Type.Array(Type.Union([Type.Null(), Type.Object({ owner: Type.String(), token: Type.Integer() })]), {
            description: 'owner and fencing token of each shard',
          }),
          ready: Type.Array(Type.Integer(), { description: 'shards of this worker that take requests' }),
        }),
      },
    },
    handler: async () =>
      cluster.assignment ?? { session: '', valid: false, term: 0, workers: {}, shards: [], ready: [] },
  })
}
