import { describeOptions, METHODS, type Method } from '@pb-oel/core'
import {
  DeletionReceipt,
  GivenChange,
  Guarantee,
  MethodList,
  NewChannel,
  NewClone,
  NewLevel,
  NewSystem,
  Progress,
  SystemDetail,
  SystemList,
  type SystemSummary,
} from '@pb-oel/protocol'
import { Type } from '@sinclair/typebox'
import { maySee } from '../../auth/roles.ts'
import { InvalidRequest } from '../../errors.ts'
import type { LiveSystem } from '../../service/live-system.ts'
import { progress } from '../../views/progress.ts'
import { detail, guarantee, missingSummary } from '../../views/system.ts'
import { type App, author, type Context } from '../context.ts'
import { askOthers } from '../others.ts'
import { SystemParams } from '../parameters.ts'

const shown = (system: LiveSystem) => system.read(detail(system.now))

/** Systems: list, create, look at, change; the methods there are; guarantee and progress. */
export function systemRoutes(app: App, context: Context): void {
  listRoutes(app, context)
  oneRoutes(app, context)
  wholeRoutes(app, context)
  growthRoutes(app, context)
  promiseRoutes(app, context)
}

function listRoutes(app: App, { service, cluster }: Context): void {
  app.get('/v1/systems', {
    config: { permission: 'read' },
    schema: {
      operationId: 'listSystems',
      summary: 'All systems, each with level, confidence, alarm, age of the latest sample and open questions',
      querystring: Type.Object({
        archived: Type.Optional(Type.Boolean({ description: 'true: those that are archived, and no others' })),
      }),
      response: { 200: SystemList },
    },
    handler: async (request) => {
      const { archived = false } = request.query
      const mine = service.list().filter(({ id }) => maySee(request.principal, id))
      const there = await Promise.all(mine.map((system) => system.overview()))
      const missing = service.missing.filter(({ id }) => maySee(request.principal, id))
      const here = [...there, ...missing.map(({ id, reason }) => missingSummary(id, reason, service.clock()))]
      const elsewhere = (await askOthers<SystemList>(request, cluster)).flatMap(({ systems }) => systems)
      return { systems: merge(here, elsewhere).filter((system) => (system.archived ?? false) === archived) }
    },
  })

  app.get('/v1/methods', {
    config: { permission: 'read' },
    schema: {
      operationId: 'listMethods',
      summary: 'Methods a system can be created with',
      response: { 200: MethodList },
    },
    handler: async () => {
      const own = Object.entries(service.extensions.methods ?? {})
      return {
        methods: [...METHODS.map((entry) => described(entry.name, entry)), ...own.map((pair) => described(...pair))],
      }
    },
  })
}

function described(name: string, entry: Method): MethodList['methods'][number] {
  const { title, role, summary } = entry
  const options = describeOptions(entry).map(({ words, ...rest }) => ({ ...rest, ...(words && { words: [...words] }) }))
  return { name, title, role, summary, options }
}

function oneRoutes(app: App, { service }: Context): void {
  app.post('/v1/systems', {
    config: { permission: 'admin' },
    schema: {
      operationId: 'createSystem',
      summary: 'Create a system',
      body: NewSystem,
      response: { 201: SystemDetail },
    },
    handler: async (request, reply) => {
      const { id, ...given } = request.body
      if (!maySee(request.principal, id)) return reply.callNotFound()
      const system = await service.create(id, given, author(request))
      reply.code(201).header('location', `/v1/systems/${id}`)
      return shown(system)
    },
  })

  app.get('/v1/systems/:id', {
    config: { permission: 'read' },
    schema: {
      operationId: 'getSystem',
      summary: 'One system in detail',
      params: SystemParams,
      response: { 200: SystemDetail },
    },
    handler: async ({ params }) => {
      const system = service.get(params.id)
      return shown(system)
    },
  })

  app.patch('/v1/systems/:id', {
    config: { permission: 'admin' },
    schema: {
      operationId: 'changeSystem',
      summary:
        'Change title, names of levels, units, ranges, rules (missing sensors, alarms, asking, late answers, promises), ' +
        'or archive and restore',
      params: SystemParams,
      body: GivenChange,
      response: { 200: SystemDetail },
    },
    handler: async (request) => {
      await service.configure(request.params.id, request.body, author(request))
      return shown(service.get(request.params.id))
    },
  })
}

function wholeRoutes(app: App, { service }: Context): void {
  app.post('/v1/systems/:id/clone', {
    config: { permission: 'admin' },
    schema: {
      operationId: 'cloneSystem',
      summary: 'Make a system like this one, with or without what it has learned',
      params: SystemParams,
      body: NewClone,
      response: { 201: SystemDetail },
    },
    handler: async (request, reply) => {
      const { id } = request.body
      if (!maySee(request.principal, id)) return reply.callNotFound()
      const system = await service.clone(request.params.id, request.body, author(request))
      reply.code(201).header('location', `/v1/systems/${id}`)
      return shown(system)
    },
  })

  app.delete('/v1/systems/:id', {
    config: { permission: 'admin' },
    schema: {
      operationId: 'deleteSystem',
      summary: 'Delete a system and its whole log for good; archive it instead where it may be wanted again',
      params: SystemParams,
      querystring: Type.Object({
        confirm: Type.Optional(Type.String({ maxLength: 64, description: 'the name of the system once more' })),
      }),
      response: { 200: DeletionReceipt },
    },
    handler: async (request) => {
      const { id } = service.get(request.params.id)
      const { confirm } = request.query
      if (confirm !== id) {
        const { first = 1, last = 0 } = (await service.log.extent(id)) ?? {}
        throw new InvalidRequest(
          `this would remove system ${id} for good, with its model and the ${last - first + 1} records of its log; ` +
            `back-ups keep it. Say confirm=${id} to do it`,
        )
      }
      return service.remove(id, author(request))
    },
  })
}

/** Channels and levels that come to a living system. */
function growthRoutes(app: App, { service }: Context): void {
  app.post('/v1/systems/:id/channels', {
    config: { permission: 'admin' },
    schema: {
      operationId: 'addChannel',
      summary: 'Add a channel behind the others; the model begins anew with the latest answered samples',
      params: SystemParams,
      body: NewChannel,
      response: { 200: SystemDetail },
    },
    handler: async (request) => {
      await service.addChannel(request.params.id, request.body, author(request))
      return shown(service.get(request.params.id))
    },
  })

  app.post('/v1/systems/:id/levels', {
    config: { permission: 'admin' },
    schema: {
      operationId: 'addLevel',
      summary: 'Add a level behind the others, the least safe; the model keeps what it has learned',
      params: SystemParams,
      body: NewLevel,
      response: { 200: SystemDetail },
    },
    handler: async (request) => {
      await service.addLevel(request.params.id, request.body, author(request))
      return shown(service.get(request.params.id))
    },
  })
}

function promiseRoutes(app: App, { service }: Context): void {
  app.get('/v1/systems/:id/guarantee', {
    config: { permission: 'read' },
    schema: {
      operationId: 'getGuarantee',
      summary: 'What accuracy is promised, what has been reached, and whether the assumptions hold',
      params: SystemParams,
      response: { 200: Guarantee },
    },
    handler: async ({ params }) => service.get(params.id).read(guarantee()),
  })

  app.get('/v1/systems/:id/progress', {
    config: { permission: 'read' },
    schema: {
      operationId: 'getProgress',
      summary: 'Accuracy, guarantee and weights over the life of the system, at most 300 points, oldest first',
      params: SystemParams,
      response: { 200: Progress },
    },
    handler: async ({ params }) => service.get(params.id).read(progress()),
  })
}

/** By name; of two that both claim a system, while it changes hands, the one that is further. */
function merge(here: readonly SystemSummary[], elsewhere: readonly SystemSummary[]): SystemSummary[] {
  const all = new Map<string, SystemSummary>()
  for (const system of [...here, ...elsewhere]) {
    const known = all.get(system.id)
    if (!known || known.sequence < system.sequence) all.set(system.id, system)
  }
  return [...all.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}
