import { Exclusion, GivenExclusion } from '@pb-oel/protocol'
import { type App, author, type Context } from '../context.ts'
import { SystemParams } from '../parameters.ts'
import { takeTime } from '../take-time.ts'

/** Exclusions: the model forgets samples that should never have reached it. */
export function exclusionRoutes(app: App, { service }: Context): void {
  app.post('/v1/systems/:id/exclusions', {
    config: { permission: 'admin' },
    schema: {
      operationId: 'excludeSamples',
      summary: 'Make the model forget a sample, a range of them, or all behind a record; it is made anew without them',
      params: SystemParams,
      body: GivenExclusion,
      response: { 201: Exclusion },
    },
    handler: async (request, reply) => {
      const { by, ...given } = request.body
      takeTime(app, reply)
      reply.code(201)
      return service.exclude(request.params.id, given, author(request, by))
    },
  })
}
