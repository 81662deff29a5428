import { ServerTime } from '@pb-oel/protocol'
import { Type } from '@sinclair/typebox'
import { NotReady } from '../../errors.ts'
import type { App, Context } from '../context.ts'

/** Health, readiness and metrics. */
export function operationRoutes(app: App, { service, metrics, cluster, stopping }: Context): void {
  const Status = Type.Object({ status: Type.Literal('ok') })

  app.get('/healthz', {
    config: { permission: 'public' },
    schema: { operationId: 'health', summary: 'The process answers', response: { 200: Status } },
    handler: async () => ({ status: 'ok' as const }),
  })

  app.get('/readyz', {
    config: { permission: 'public' },
    schema: { operationId: 'readiness', summary: 'Every system takes events', response: { 200: Status } },
    handler: async () => {
      if (stopping()) throw new NotReady('the server is stopping')
      if (cluster?.node.trouble) throw new NotReady(cluster.node.trouble)
      const { recovering } = service
      if (recovering) throw recovering
      const [lost] = service.missing
      if (lost) throw new NotReady(`system ${lost.id} cannot be rebuilt: ${lost.reason}`, 60)
      const stuck = service.list().filter(({ ready }) => !ready)
      if (stuck.length > 0) throw new NotReady(`systems that take no events: ${stuck.length}; the disk may be full`)
      return { status: 'ok' as const }
    },
  })

  app.get('/v1/clock', {
    config: { permission: 'read' },
    schema: {
      operationId: 'getClock',
      summary: "The server's time, and what its wall clock did",
      response: { 200: ServerTime },
    },
    handler: async () => {
      const { jumps, latest, offset } = service.time
      const { by: jump, followed, time } = latest ?? {}
      const told = jump !== undefined && followed !== undefined && time !== undefined
      return { now: service.clock(), offset, jumps, ...(told && { latest: { jump, followed, time } }) }
    },
  })

  app.get('/metrics', {
    config: { permission: 'read', allSystems: true },
    schema: {
      operationId: 'metrics',
      summary: 'Figures for Prometheus',
      response: { 200: { description: 'text format', content: { 'text/plain': { schema: Type.String() } } } },
    },
    handler: async (_request, reply) => {
      return reply.type(metrics.contentType).send(await metrics.text())
    },
  })
}
