import { METHODS } from '@pb-oel/core'
import { type Static, Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { maySee } from '../../auth/roles.ts'
import { ask } from '../../cluster/forward.ts'
import { isHop } from '../../cluster/routing.ts'
import type { ConfigurationChange, NewSystem } from '../../fold/configuration.ts'
import { type App, author, type Context } from '../context.ts'
import {
  ChangeSchema,
  CourseSchema,
  DetailSchema,
  GuaranteeSchema,
  NewSystemSchema,
  SummarySchema,
  SystemParams,
} from '../schemas.ts'
import { detail, summary } from '../views.ts'

/** Systems: list, create, look at, change; the methods there are; the guarantee. */
export function systemRoutes(app: App, { service, cluster }: Context): void {
  app.get('/v1/systems', {
    config: { permission: 'read' },
    schema: {
      operationId: 'listSystems',
      summary: 'All systems, each with level, confidence, alarm, age of the latest sample and open questions',
      response: { 200: Type.Object({ systems: Type.Array(SummarySchema) }) },
    },
    handler: async (request) => {
      const mine = service.list().filter(({ id }) => maySee(request.principal, id))
      const here = mine.map(({ fold, ready }) => summary(fold, service.clock(), ready))
      const elsewhere = cluster && !isHop(request, cluster.secret) ? await fromOthers(request, cluster) : []
      return { systems: merge(here, elsewhere) }
    },
  })

  app.post('/v1/systems', {
    config: { permission: 'admin' },
    schema: {
      operationId: 'createSystem',
      summary: 'Create a system',
      body: NewSystemSchema,
      response: { 201: DetailSchema },
    },
    handler: async (request, reply) => {
      const { id, ...given } = request.body
      if (!maySee(request.principal, id)) return reply.callNotFound()
      const system = await service.create(id, given as NewSystem, author(request))
      reply.code(201).header('location', `/v1/systems/${id}`)
      return detail(system.fold, service.clock())
    },
  })

  app.get('/v1/systems/:id', {
    config: { permission: 'read' },
    schema: {
      operationId: 'getSystem',
      summary: 'One system in detail',
      params: SystemParams,
      response: { 200: DetailSchema },
    },
    handler: async ({ params }) => {
      const system = service.get(params.id)
      await system.settled().catch(() => {})
      return detail(system.fold, service.clock(), system.ready)
    },
  })

  app.patch('/v1/systems/:id', {
    config: { permission: 'admin' },
    schema: {
      operationId: 'changeSystem',
      summary: 'Change title, missing-sensor rule, alarm rule or queue weights',
      params: SystemParams,
      body: ChangeSchema,
      response: { 200: DetailSchema },
    },
    handler: async (request) => {
      const { id } = request.params
      await service.configure(id, request.body as ConfigurationChange, author(request))
      return detail(service.get(id).fold, service.clock())
    },
  })

  app.get('/v1/systems/:id/guarantee', {
    config: { permission: 'read' },
    schema: {
      operationId: 'getGuarantee',
      summary: 'What accuracy is promised, what has been reached, and whether the assumptions hold',
      params: SystemParams,
      response: { 200: GuaranteeSchema },
    },
    handler: async ({ params }) => {
      const system = service.get(params.id)
      await system.settled()
      return system.fold.guarantee()
    },
  })

  app.get('/v1/systems/:id/progress', {
    config: { permission: 'read' },
    schema: {
      operationId: 'getProgress',
      summary: 'Accuracy, guarantee and weights over the life of the system, at most 300 points, oldest first',
      params: SystemParams,
      response: { 200: CourseSchema },
    },
    handler: async ({ params }) => {
      const system = service.get(params.id)
      await system.settled()
      return { points: system.fold.course.points }
    },
  })

  app.get('/v1/methods', {
    config: { permission: 'read' },
    schema: {
      operationId: 'listMethods',
      summary: 'Methods a system can be created with',
      response: {
        200: Type.Object({ methods: Type.Array(Type.Object({ name: Type.String(), summary: Type.String() })) }),
      },
    },
    handler: async () => ({ methods: METHODS.map(({ name, summary }) => ({ name, summary })) }),
  })
}

type Summary = Static<typeof SummarySchema>

/** The systems of the other workers; one that does not answer is left out. */
async function fromOthers(request: FastifyRequest, { node, secret }: NonNullable<Context['cluster']>) {
  const { authorization } = request.headers
  const lists = await Promise.all(
    node.others.map((url) => ask<{ systems: Summary[] }>(url, '/v1/systems', secret, authorization)),
  )
  return lists.flatMap((list) => list?.systems ?? [])
}

/** By name; of two that both claim a system, while it changes hands, the one that is further. */
function merge(here: readonly Summary[], elsewhere: readonly Summary[]): Summary[] {
  const all = new Map<string, Summary>()
  for (const system of [...here, ...elsewhere]) {
    const known = all.get(system.id)
    if (!known || known.sequence < system.sequence) all.set(system.id, system)
  }
  return [...all.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}
