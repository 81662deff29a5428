import type { Readable } from 'node:stream'
import { Type } from '@sinclair/typebox'
import { InvalidRequest } from '../../errors.ts'
import type { GivenFeedback } from '../../service/service.ts'
import { type App, author, type Context } from '../context.ts'
import { answerLines, NDJSON } from '../ndjson.ts'
import { FeedbackAnswerSchema, FeedbackSchema, SystemParams } from '../schemas.ts'
import { validator } from '../validator.ts'
import { isLines } from './samples.ts'

/** Feedback: an answer, or a stream of them. */
export function feedbackRoutes(app: App, { service }: Context): void {
  app.post('/v1/systems/:id/feedback', {
    config: { permission: 'answer' },
    schema: {
      operationId: 'answer',
      summary: 'Say whether an assessment was right or wrong, or which level it should have been; the model learns',
      params: SystemParams,
      body: {
        content: {
          'application/json': { schema: FeedbackSchema },
          [NDJSON]: { schema: Type.Unsafe<Readable>({ description: 'one answer a line' }) },
        },
      },
      response: {
        200: {
          description: 'the answer is on disk and learned',
          content: {
            'application/json': { schema: FeedbackAnswerSchema },
            [NDJSON]: { schema: Type.Unsafe<Readable>({ description: 'one line each' }) },
          },
        },
      },
    },
    handler: async (request, reply) => {
      const { id } = request.params
      service.get(id)
      const learn = async ({ by, ...given }: GivenFeedback & { by?: string }) => {
        if ((given.answer === 'label') !== (given.level !== undefined)) {
          throw new InvalidRequest('level belongs to the answer label, and to no other')
        }
        return service.feedback(id, given, author(request, by))
      }
      const validate = validator<GivenFeedback>(request, FeedbackSchema)
      if (!isLines(request)) return learn(validate(request.body))
      const answers = answerLines(request.body as AsyncIterable<Buffer>, async (line) => learn(validate(line)))
      return reply.type(NDJSON).send(answers)
    },
  })
}
