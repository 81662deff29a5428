import { KindsQuery, LogPage, moment, name, type RecordKind, SystemState, sequence, strict } from '@pb-oel/protocol'
import { Type } from '@sinclair/typebox'
import { Gone, InvalidRequest, NotFound } from '../../errors.ts'
import { wholeState } from '../../views/system.ts'
import { type App, author, type Context } from '../context.ts'
import { integerQuery, momentOf, SystemParams } from '../parameters.ts'
import { sendJson } from '../send-json.ts'
import { takeTime } from '../take-time.ts'
import { whileAsked } from '../while-asked.ts'

/** The log of a system: its records, the state at a moment, compaction. */
export function logRoutes(app: App, context: Context): void {
  recordsRoute(app, context)
  stateRoute(app, context)

  app.post('/v1/systems/:id/compact', {
    config: { permission: 'admin' },
    schema: {
      operationId: 'compactLog',
      summary: 'Remove old records; the chain of the rest stays verifiable from the state it begins with',
      params: SystemParams,
      body: Type.Object({ keep: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }, strict),
      response: { 200: Type.Object({ removedThrough: Type.Integer() }) },
    },
    handler: async (request) => ({
      removedThrough: await context.service.get(request.params.id).compact(request.body.keep, author(request)),
    }),
  })
}

function recordsRoute(app: App, { service, reading }: Context): void {
  app.get('/v1/systems/:id/log', {
    config: { permission: 'read' },
    schema: {
      operationId: 'getLog',
      summary: 'Records of the log in order, a page at a time',
      params: SystemParams,
      querystring: Type.Object({
        from: Type.Optional(sequence),
        to: Type.Optional(sequence),
        kinds: Type.Optional(KindsQuery),
        by: Type.Optional(name('only what they caused')),
        limit: integerQuery(1, 1_000, 'default 100'),
        latest: Type.Optional(Type.Boolean({ description: 'latest first' })),
      }),
      response: { 200: LogPage },
    },
    handler: async ({ params, query }, reply) => {
      const { id: system, channels } = service.get(params.id)
      const { from, to, by, limit = 100, latest = false } = query
      const kinds = query.kinds?.split(',') as RecordKind[] | undefined
      return sendJson(reply, await reading.records({ system, channels, from, to, kinds, by, limit, latest }))
    },
  })
}

function stateRoute(app: App, { service, reading }: Context): void {
  const { log } = service

  app.get('/v1/systems/:id/state', {
    config: { permission: 'read' },
    schema: {
      operationId: 'getState',
      summary: 'The state now, after a record (at), or at a moment (time), replayed from the log, with its hash',
      params: SystemParams,
      querystring: Type.Object({
        at: Type.Optional(sequence),
        time: Type.Optional(moment('the moment')),
        explain: Type.Optional(
          Type.Boolean({ description: 'with at or time: also say why the level was what it was' }),
        ),
      }),
      response: { 200: SystemState },
    },
    handler: async ({ params, query }, reply) => {
      const { id } = service.get(params.id)
      if (query.at !== undefined && query.time !== undefined) throw new InvalidRequest('at and time exclude each other')
      const time = momentOf(query.time, 'time')
      const at = time === undefined ? query.at : (await log.sequenceAt(id, time + 1)) - 1
      if (at === undefined) return service.get(id).read(wholeState())
      const extent = await log.extent(id)
      if (at < 1 || at > (extent?.last ?? 0)) throw new NotFound(`the log of ${id} has no record ${at}`)
      if (at < (extent?.first ?? 1)) throw new Gone(`record ${at} of ${id} was removed by compaction`)
      takeTime(app, reply)
      return sendJson(reply, await reading.state(id, at, whileAsked(reply.raw), query.explain))
    },
  })
}
