import { Claim, decodeBody, NewClaim, name, Queue, word } from '@pb-oel/protocol'
import { Type } from '@sinclair/typebox'
import { mustBeOpen, openQuestions, questionView } from '../../views/queue.ts'
import { type App, author, type Context } from '../context.ts'
import { AssessmentParams, integerQuery, SystemParams } from '../parameters.ts'

/** Seconds a claim lasts unless asked otherwise. */
const CLAIM_SECONDS = 60

/** The review queue: open questions in the order of what an answer is worth, and claims on them. */
export function queueRoutes(app: App, context: Context): void {
  questionRoute(app, context)
  claimRoutes(app, context)
}

function questionRoute(app: App, { service }: Context): void {
  app.get('/v1/systems/:id/queue', {
    config: { permission: 'read' },
    schema: {
      operationId: 'getQueue',
      summary: 'Open questions, the one whose answer is worth most first',
      params: SystemParams,
      querystring: Type.Object({
        limit: integerQuery(1, 500, 'default 20'),
        free: Type.Optional(Type.Boolean({ description: 'leave out what somebody has claimed' })),
        whose: Type.Optional(
          word(
            ['mine', 'free', 'all'],
            'mine: questions assigned to the caller; free: also those of nobody; all: also those of others, the default',
          ),
        ),
        by: Type.Optional(name('who asks; counts only on a server without tokens')),
      }),
      response: { 200: Queue },
    },
    handler: async (request) => {
      const { params, query } = request
      const { limit = 20, free = false, whose = 'all' } = query
      const system = service.get(params.id)
      const { id, channels, levels, claims } = system
      const { now } = system
      const { open, questions } = await system.read(
        openQuestions(limit, free ? claims.taken() : [], { by: author(request, query.by), whose }),
      )
      const records = await service.log.pick(
        id,
        questions.map(({ place }) => place.sequence),
      )
      const samples = new Map(
        records.map(({ sequence, body }) => [sequence, decodeBody('sample', body, channels).body]),
      )
      const shown = questions.flatMap((question) => {
        const sample = samples.get(question.place.sequence)
        const claim = claims.get(question.body.assessment)
        return sample ? [questionView(levels, question, sample, claim, now)] : []
      })
      return { open, questions: shown }
    },
  })
}

function claimRoutes(app: App, { service }: Context): void {
  app.post('/v1/systems/:id/queue/:assessment/claim', {
    config: { permission: 'answer' },
    schema: {
      operationId: 'claimQuestion',
      summary: 'Take a question for a while, so that others take another one; again to stay longer',
      params: AssessmentParams,
      body: NewClaim,
      response: { 200: Claim },
    },
    // No body is as good as an empty one.
    preValidation: async (request) => {
      request.body ??= {}
    },
    handler: async (request) => {
      const { id, assessment } = request.params
      const system = service.get(id)
      const { seconds = CLAIM_SECONDS } = request.body
      const by = author(request, request.body.by)
      await system.read(mustBeOpen(assessment, by))
      return system.claims.claim(assessment, by, seconds)
    },
  })

  app.delete('/v1/systems/:id/queue/:assessment/claim', {
    config: { permission: 'answer' },
    schema: {
      operationId: 'releaseQuestion',
      summary: 'Give a question back',
      params: AssessmentParams,
      querystring: Type.Object({ by: Type.Optional(name('who')) }),
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const { id, assessment } = request.params
      service.get(id).claims.release(assessment, author(request, request.query.by))
      return reply.code(204).send(null)
    },
  })
}
