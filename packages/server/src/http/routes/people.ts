import { Assignment, assessmentNumber, Comment, CommentList, GivenAssignment, GivenComment } from '@pb-oel/protocol'
import { Type } from '@sinclair/typebox'
import { type App, author, type Context } from '../context.ts'
import { SystemParams } from '../parameters.ts'
import { sendJson } from '../send-json.ts'

/** What people say to each other about the questions of a system: comments, and who shall answer. */
export function peopleRoutes(app: App, { service, reading }: Context): void {
  app.post('/v1/systems/:id/comments', {
    config: { permission: 'answer' },
    schema: {
      operationId: 'comment',
      summary: 'Remark on the moment of an assessment for others to read; the model learns nothing from it',
      params: SystemParams,
      body: GivenComment,
      response: { 201: Comment },
    },
    handler: async (request, reply) => {
      reply.code(201)
      return service.comment(request.params.id, request.body, author(request, request.body.by))
    },
  })

  app.get('/v1/systems/:id/comments', {
    config: { permission: 'read' },
    schema: {
      operationId: 'listComments',
      summary: 'Comments on the moment of an assessment, and notes of those who could not tell, oldest first',
      params: SystemParams,
      querystring: Type.Object({ assessment: assessmentNumber }),
      response: { 200: CommentList },
    },
    handler: async ({ params, query }, reply) => {
      const { id: system, channels, levels } = service.get(params.id)
      return sendJson(reply, await reading.comments({ system, channels, levels }, query.assessment))
    },
  })

  app.post('/v1/systems/:id/assignments', {
    config: { permission: 'answer' },
    schema: {
      operationId: 'assign',
      summary: 'Say who shall answer a question, or all questions of the system',
      params: SystemParams,
      body: GivenAssignment,
      response: { 201: Assignment },
    },
    handler: async (request, reply) => {
      reply.code(201)
      return service.assign(request.params.id, request.body, author(request, request.body.by))
    },
  })
}
