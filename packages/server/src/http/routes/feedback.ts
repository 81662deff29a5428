import type { Readable } from 'node:stream'
import { AnswerReceipt, GivenAnswer, readAnswer } from '@pb-oel/protocol'
import { Type } from '@sinclair/typebox'
import { unread } from '../body-check.ts'
import { type App, author, type Context } from '../context.ts'
import { answerList, oneOrMore, plainJson, resultOrResults } from '../list.ts'
import { answerLines, isLines, NDJSON } from '../ndjson.ts'
import { SystemParams } from '../parameters.ts'

/** Feedback: an answer, or a stream of them. */
export function feedbackRoutes(app: App, { service }: Context): void {
  app.post('/v1/systems/:id/feedback', {
    config: { permission: 'answer' },
    validatorCompiler: unread,
    serializerCompiler: plainJson,
    schema: {
      operationId: 'answer',
      summary: 'Say whether an assessment was right or wrong, or which level it should have been; the model learns',
      params: SystemParams,
      body: {
        content: {
          'application/json': { schema: oneOrMore(GivenAnswer, 'answers') },
          [NDJSON]: { schema: Type.Unsafe<Readable>({ description: 'one answer per line' }) },
        },
      },
      response: {
        200: {
          description: 'the answer is on disk and learned',
          content: {
            'application/json': { schema: resultOrResults(AnswerReceipt) },
            [NDJSON]: { schema: Type.Unsafe<Readable>({ description: 'one receipt per line' }) },
          },
        },
      },
    },
    handler: async (request, reply) => {
      const { id } = request.params
      service.get(id)
      const learn = async (value: unknown) => {
        const given = readAnswer(value)
        return service.feedback(id, given, author(request, given.by))
      }
      if (Array.isArray(request.body)) return answerList(request.body, learn)
      if (!isLines(request)) return learn(request.body)
      return reply.type(NDJSON).send(answerLines(request.body as AsyncIterable<Buffer>, learn))
    },
  })
}
