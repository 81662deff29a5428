import { ClusterView } from '@pb-oel/protocol'
import type { ClusterNode } from '../../cluster/cluster-node.ts'
import type { App } from '../context.ts'

/** The cluster as this worker sees it. */
export function clusterRoutes(app: App, cluster: ClusterNode): void {
  app.get('/v1/cluster', {
    config: { permission: 'read', allSystems: true },
    schema: {
      operationId: 'getCluster',
      summary: 'Which workers there are, and who has which shards',
      response: { 200: ClusterView },
    },
    handler: async () =>
      cluster.assignment ?? { session: '', valid: false, term: 0, workers: {}, shards: [], ready: [] },
  })
}
