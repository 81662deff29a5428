import { Type } from '@sinclair/typebox'
import { Conflict, NotFound } from '../../errors.ts'
import type { SampleBody } from '../../fold/events.ts'
import type { LiveSystem } from '../../service/live-system.ts'
import { type App, author, type Context } from '../context.ts'
import { AssessmentParams, integerQuery, LeaseSchema, name, QuestionSchema, SystemParams, strict } from '../schemas.ts'
import { questionView } from '../views.ts'

/** Seconds a claim lasts unless asked otherwise. */
const CLAIM_SECONDS = 60

/** The review queue: open questions in the order of what an answer is worth, and claims on them. */
export function queueRoutes(app: App, { service }: Context): void {
  app.get('/v1/systems/:id/queue', {
    config: { permission: 'read' },
    schema: {
      operationId: 'getQueue',
      summary: 'Open questions, the one whose answer is worth most first',
      params: SystemParams,
      querystring: Type.Object({
        limit: integerQuery(1, 500, 'default 20'),
        free: Type.Optional(Type.Boolean({ description: 'leave out what somebody has claimed' })),
      }),
      response: { 200: Type.Object({ open: Type.Integer(), questions: Type.Array(QuestionSchema) }) },
    },
    handler: async ({ params, query }) => {
      const system = service.get(params.id)
      await system.settled()
      const { questions, configuration } = system.fold
      const now = service.clock()
      const ranked = questions.ranked(configuration.queue, configuration.levels.length)
      const free = query.free ? ranked.filter(({ question }) => !system.leases.get(question.id, now)) : ranked
      const shown = free.slice(0, query.limit ?? 20)
      const samples = await service.log.pick(
        system.id,
        shown.map(({ question }) => question.sequence),
      )
      const bodies = new Map(samples.map(({ sequence, body }) => [sequence, JSON.parse(body) as SampleBody]))
      const entries = shown.flatMap((entry) => {
        const sample = bodies.get(entry.question.sequence)
        return sample ? [questionView(system, entry, sample, now)] : []
      })
      return { open: questions.open, questions: entries }
    },
  })

  app.post('/v1/systems/:id/queue/:assessment/claim', {
    config: { permission: 'answer' },
    schema: {
      operationId: 'claimQuestion',
      summary: 'Take a question for a while, so that others take another one; again to stay longer',
      params: AssessmentParams,
      body: Type.Object(
        { seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 3600 })), by: Type.Optional(name('who')) },
        strict,
      ),
      response: { 200: LeaseSchema },
    },
    // No body is as good as an empty one.
    preValidation: async (request) => {
      request.body ??= {}
    },
    handler: async (request) => {
      const { id, assessment } = request.params
      const system = service.get(id)
      openQuestion(system, assessment)
      const now = service.clock()
      const until = now + (request.body.seconds ?? CLAIM_SECONDS) * 1000
      return system.leases.claim(assessment, author(request, request.body.by), until, now)
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
      service.get(id).leases.release(assessment, author(request, request.query.by))
      return reply.code(204).send(null)
    },
  })
}

function openQuestion({ fold }: LiveSystem, assessment: number): void {
  const question = fold.questions.get(assessment)
  if (!question) throw new NotFound(`assessment ${assessment} was never made, or is no longer kept`)
  if (question.answer) throw new Conflict(`assessment ${assessment} has been answered by ${question.answer.by}`)
}
