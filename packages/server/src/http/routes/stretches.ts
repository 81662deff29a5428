import { GivenStretch, readStretch, Stretch, SystemId, sequence, Withdrawal } from '@pb-oel/protocol'
import { Type } from '@sinclair/typebox'
import { requestCheck } from '../body-check.ts'
import { type App, author, type Context } from '../context.ts'
import { SystemParams } from '../parameters.ts'
import { takeTime } from '../take-time.ts'

/** Stretches: one answer about all samples of a stretch of time, and its undoing. */
export function stretchRoutes(app: App, { service }: Context): void {
  app.post('/v1/systems/:id/stretches', {
    config: { permission: 'answer' },
    validatorCompiler: requestCheck(readStretch),
    schema: {
      operationId: 'answerStretch',
      summary: 'Answer all samples of a stretch of time at once: right, wrong, or the level; learned in order',
      params: SystemParams,
      body: GivenStretch,
      response: { 201: Stretch },
    },
    handler: async (request, reply) => {
      const given = request.body as GivenStretch
      reply.code(201)
      return service.answerStretch(request.params.id, given, author(request, given.by))
    },
  })

  app.delete('/v1/systems/:id/stretches/:stretch', {
    config: { permission: 'answer' },
    schema: {
      operationId: 'withdrawStretch',
      summary: 'Take a stretch back: its samples are open again, and the model is made anew without it',
      params: Type.Object({ id: SystemId, stretch: sequence }),
      querystring: Type.Object({ by: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })) }),
      response: { 200: Withdrawal },
    },
    handler: async (request, reply) => {
      const { id, stretch } = request.params
      takeTime(app, reply)
      return service.withdrawStretch(id, stretch, author(request, request.query.by))
    },
  })
}
