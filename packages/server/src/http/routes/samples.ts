import type { Readable } from 'node:stream'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { Gone, NotFound } from '../../errors.ts'
import type { AssessmentBody, SampleBody } from '../../fold/events.ts'
import type { SystemFold } from '../../fold/system-fold.ts'
import type { EventLog } from '../../log/event-log.ts'
import type { LogRecord } from '../../log/record.ts'
import type { GivenSample } from '../../service/service.ts'
import { type App, author, type Context } from '../context.ts'
import { answerLines, NDJSON } from '../ndjson.ts'
import {
  AssessmentParams,
  AssessmentSchema,
  HistorySchema,
  integerQuery,
  milliseconds,
  SampleSchema,
  SystemParams,
} from '../schemas.ts'
import { validator } from '../validator.ts'
import { assessmentView, historyView } from '../views.ts'

/** Samples: assess one or a stream of them; look at earlier ones. */
export function sampleRoutes(app: App, { service }: Context): void {
  const { log } = service

  app.post('/v1/systems/:id/samples', {
    config: { permission: 'sample' },
    schema: {
      operationId: 'assess',
      summary: 'Assess a sample, or a stream of samples line by line; answers come when they are on disk',
      params: SystemParams,
      body: {
        content: {
          'application/json': { schema: SampleSchema },
          [NDJSON]: { schema: Type.Unsafe<Readable>({ description: 'one sample a line' }) },
        },
      },
      response: {
        200: {
          description:
            'one assessment; for a stream one line each, a problem document with its line number where a line is wrong',
          content: {
            'application/json': { schema: AssessmentSchema },
            [NDJSON]: { schema: Type.Unsafe<Readable>({ description: 'one assessment a line' }) },
          },
        },
      },
    },
    handler: async (request, reply) => {
      const { id } = request.params
      const by = author(request)
      const { fold } = service.get(id)
      const assess = async (sample: GivenSample) => assessmentView(fold, await service.sample(id, sample, by))
      const validate = validator<GivenSample>(request, SampleSchema)
      if (!isLines(request)) return assess(validate(request.body))
      const answers = answerLines(request.body as AsyncIterable<Buffer>, async (line) => assess(validate(line)))
      return reply.type(NDJSON).send(answers)
    },
  })

  app.get('/v1/systems/:id/samples', {
    config: { permission: 'read' },
    schema: {
      operationId: 'listSamples',
      summary:
        'Earlier samples with their assessments, oldest first, thinned out evenly when there are more than the limit',
      params: SystemParams,
      querystring: Type.Object({
        from: Type.Optional(milliseconds('arrival at or after')),
        to: Type.Optional(milliseconds('arrival before')),
        limit: integerQuery(1, 5_000, 'default 500'),
      }),
      response: { 200: Type.Object({ samples: Type.Array(HistorySchema), thinned: Type.Boolean() }) },
    },
    handler: async ({ params, query }) => {
      const { id, fold } = service.get(params.id)
      const extent = await log.extent(id)
      const from = query.from === undefined ? (extent?.first ?? 1) : await log.sequenceAt(id, query.from)
      const to = query.to === undefined ? (extent?.last ?? 0) : (await log.sequenceAt(id, query.to)) - 1
      const limit = query.limit ?? 500
      // A sample takes two records, so half of them are samples at most.
      const stride = Math.max(1, Math.ceil((to - from + 1) / limit))
      const samples = await log.read(id, { from, to, kinds: ['sample'], limit, stride: stride <= 2 ? 1 : stride })
      return { samples: await withAssessments(log, fold, samples), thinned: stride > 2 }
    },
  })

  app.get('/v1/systems/:id/samples/:assessment', {
    config: { permission: 'read' },
    schema: {
      operationId: 'getSample',
      summary: 'One earlier sample with its assessment',
      params: AssessmentParams,
      response: { 200: HistorySchema },
    },
    handler: async ({ params }) => {
      const { id, fold } = service.get(params.id)
      if (params.assessment >= fold.tally.samples) throw new NotFound(`assessment ${params.assessment} was never made`)
      const sequence = await findAssessment(log, id, params.assessment)
      const [view] = await withAssessments(log, fold, await log.pick(id, [sequence - 1]))
      if (!view) throw new Gone(`assessment ${params.assessment} was removed by compaction`)
      return view
    },
  })
}

/** Whether a request came as lines. */
export function isLines(request: FastifyRequest): boolean {
  return request.headers['content-type']?.split(';')[0].trim().toLowerCase() === NDJSON
}

/** Each sample with the assessment recorded right behind it. */
async function withAssessments(log: EventLog, fold: SystemFold, samples: readonly LogRecord[]) {
  const following = await log.pick(
    fold.id,
    samples.map(({ sequence }) => sequence + 1),
  )
  const bySequence = new Map(following.map((record) => [record.sequence, record]))
  return samples.flatMap(({ sequence, time, body }) => {
    const assessment = bySequence.get(sequence + 1)
    if (!assessment) return []
    return [
      historyView(fold, sequence, time, JSON.parse(body) as SampleBody, JSON.parse(assessment.body) as AssessmentBody),
    ]
  })
}

/** The number of the record of an assessment, by bisection: ids rise with the numbers. */
async function findAssessment(log: EventLog, system: string, id: number): Promise<number> {
  const extent = await log.extent(system)
  let low = extent?.first ?? 1
  let high = extent?.last ?? 0
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [record] = await log.read(system, { from: middle, to: high, kinds: ['assessment'], limit: 1 })
    if (!record || (JSON.parse(record.body) as AssessmentBody).id >= id) high = record?.sequence === low ? low : middle
    else low = record.sequence + 1
  }
  const [record] = await log.read(system, { from: low, kinds: ['assessment'], limit: 1 })
  return record?.sequence ?? 0
}
