import { Type } from '@sinclair/typebox'
import { Conflict, Gone, InvalidRequest, NotFound } from '../../errors.ts'
import type { RecordKind } from '../../log/record.ts'
import { rebuild } from '../../replay/recover.ts'
import { type App, author, type Context } from '../context.ts'
import {
  integerQuery,
  KindsQuery,
  milliseconds,
  name,
  RecordSchema,
  StateSchema,
  SystemParams,
  sequence,
  strict,
} from '../schemas.ts'
import { detail } from '../views.ts'

/** The log of a system: its records, the state at a moment, compaction. */
export function logRoutes(app: App, { service }: Context): void {
  const { log } = service
  let travelling = false

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
      response: {
        200: Type.Object({
          first: Type.Integer({ description: 'first record that is kept' }),
          last: Type.Integer(),
          records: Type.Array(RecordSchema),
          next: Type.Optional(Type.Integer({ description: 'the from (or, latest first, the to) of the next page' })),
        }),
      },
    },
    handler: async ({ params, query }) => {
      const system = service.get(params.id)
      const extent = await log.extent(system.id)
      const { from, to, by, limit = 100, latest = false } = query
      const kinds = query.kinds?.split(',') as RecordKind[] | undefined
      const records = await log.read(system.id, { from, to, kinds, by, limit, reverse: latest })
      const end = records.at(-1)?.sequence
      return {
        first: extent?.first ?? 1,
        last: extent?.last ?? 0,
        records: records.map((record) => ({ ...record, body: JSON.parse(record.body) })),
        ...(records.length === limit && end !== undefined && { next: latest ? end - 1 : end + 1 }),
      }
    },
  })

  app.get('/v1/systems/:id/state', {
    config: { permission: 'read' },
    schema: {
      operationId: 'getState',
      summary: 'The state now, after a record (at), or at a moment (time), replayed from the log, with its hash',
      params: SystemParams,
      querystring: Type.Object({ at: Type.Optional(sequence), time: Type.Optional(milliseconds('the moment')) }),
      response: { 200: StateSchema },
    },
    handler: async ({ params, query }) => {
      const system = service.get(params.id)
      if (query.at !== undefined && query.time !== undefined) throw new InvalidRequest('at and time exclude each other')
      const at = query.time === undefined ? query.at : (await log.sequenceAt(system.id, query.time + 1)) - 1
      if (at === undefined) await system.settled()
      const fold = at === undefined ? system.fold : await past(system.id, at)
      return { system: detail(fold, fold.time), guarantee: fold.guarantee(), stateHash: fold.stateHash() }
    },
  })

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
      removedThrough: await service.get(request.params.id).compact(request.body.keep, author(request)),
    }),
  })

  /** One at a time: replaying takes as much time as assessing did. */
  async function past(id: string, at: number) {
    const extent = await log.extent(id)
    if (at < 1 || at > (extent?.last ?? 0)) throw new NotFound(`the log of ${id} has no record ${at}`)
    if (at < (extent?.first ?? 1)) throw new Gone(`record ${at} of ${id} was removed by compaction`)
    if (travelling) throw new Conflict('another replay is under way; try again when it is done')
    travelling = true
    try {
      return await rebuild(log, id, { at })
    } finally {
      travelling = false
    }
  }
}
