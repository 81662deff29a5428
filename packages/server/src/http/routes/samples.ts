import type { Readable } from 'node:stream'
import {
  AssessedSample,
  AssessedSamples,
  AssessmentReceipt,
  Chart,
  GivenSample,
  moment,
  readSample,
  word,
} from '@pb-oel/protocol'
import { Type } from '@sinclair/typebox'
import { allows } from '../../auth/roles.ts'
import { NotFound, ServiceError } from '../../errors.ts'
import type { Names } from '../../reading/reading.ts'
import type { LiveSystem } from '../../service/live-system.ts'
import { assessmentOf, keptAnswers } from '../../views/assessed-sample.ts'
import { samplesMade } from '../../views/progress.ts'
import { unread } from '../body-check.ts'
import { type App, author, type Context } from '../context.ts'
import { answerList, oneOrMore, plainJson, resultOrResults } from '../list.ts'
import { answerLines, isLines, NDJSON } from '../ndjson.ts'
import { AssessmentParams, integerQuery, momentOf, SystemParams } from '../parameters.ts'
import { sendJson } from '../send-json.ts'

/** Samples: assess one or a stream of them; look at earlier ones. */
export function sampleRoutes(app: App, context: Context): void {
  assessRoute(app, context)
  pastRoutes(app, context)
  chartRoute(app, context)
}

function assessRoute(app: App, { service }: Context): void {
  app.post('/v1/systems/:id/samples', {
    config: { permission: 'sample' },
    validatorCompiler: unread,
    serializerCompiler: plainJson,
    schema: {
      operationId: 'assess',
      summary:
        'Assess a sample, a list, or a stream of samples line by line; answers come when they are on disk. A row of a ' +
        'history may have its true level with it, which the model learns at once',
      params: SystemParams,
      body: {
        content: {
          'application/json': { schema: oneOrMore(GivenSample, 'samples') },
          [NDJSON]: { schema: Type.Unsafe<Readable>({ description: 'one sample per line' }) },
        },
      },
      response: {
        200: {
          description:
            'one assessment; for a list or a stream one for each sample, and where one is wrong a problem document with ' +
            'its number',
          content: {
            'application/json': { schema: resultOrResults(AssessmentReceipt) },
            [NDJSON]: { schema: Type.Unsafe<Readable>({ description: 'one assessment per line' }) },
          },
        },
      },
    },
    handler: async (request, reply) => {
      const { id } = request.params
      const by = author(request)
      service.get(id)
      const mayAnswer = allows(request.principal, 'answer', id)
      const assess = async (value: unknown) => {
        const sample = readSample(value)
        if (sample.trueLevel !== undefined && !mayAnswer) {
          throw new ServiceError(403, 'Forbidden', `${by} may not answer, so a sample of theirs has no trueLevel`)
        }
        const assessed = await service.sample(id, sample, by)
        return request.principal.bridge ? assessed : assessmentOf(assessed)
      }
      if (Array.isArray(request.body)) return answerList(request.body, assess)
      if (!isLines(request)) return assess(request.body)
      return reply.type(NDJSON).send(answerLines(request.body as AsyncIterable<Buffer>, assess))
    },
  })
}

function pastRoutes(app: App, { service, reading }: Context): void {
  app.get('/v1/systems/:id/samples', {
    config: { permission: 'read' },
    schema: {
      operationId: 'listSamples',
      summary:
        'Earlier samples with their assessments, oldest first, thinned out evenly when there are more than the limit',
      params: SystemParams,
      querystring: Type.Object({
        from: Type.Optional(moment('arrival at or after')),
        to: Type.Optional(moment('arrival before')),
        limit: integerQuery(1, 5_000, 'default 500'),
      }),
      response: { 200: AssessedSamples },
    },
    handler: async ({ params, query }, reply) => {
      const { limit = 500 } = query
      const [from, to] = [momentOf(query.from, 'from'), momentOf(query.to, 'to')]
      const system = service.get(params.id)
      const answers = await system.read(keptAnswers())
      return sendJson(reply, await reading.samples({ ...namesOf(system), from, to, limit, answers }))
    },
  })

  app.get('/v1/systems/:id/samples/:assessment', {
    config: { permission: 'read' },
    schema: {
      operationId: 'getSample',
      summary: 'One earlier sample with its assessment',
      params: AssessmentParams,
      response: { 200: AssessedSample },
    },
    handler: async ({ params }, reply) => {
      const { assessment } = params
      const system = service.get(params.id)
      const made = await system.read(samplesMade())
      if (assessment >= made) throw new NotFound(`assessment ${assessment} was never made`)
      const answer = (await system.read(keptAnswers())).get(assessment)
      return sendJson(reply, await reading.sample(namesOf(system), assessment, answer))
    },
  })
}

function chartRoute(app: App, { service, reading }: Context): void {
  app.get('/v1/systems/:id/chart', {
    config: { permission: 'read' },
    schema: {
      operationId: 'getChart',
      summary:
        'A stretch of time as charts show it, in columns: samples, levels, alarms and answers; lowest and highest ' +
        'values where there are more samples than points',
      params: SystemParams,
      querystring: Type.Object({
        from: Type.Optional(moment('arrival at or after')),
        to: Type.Optional(moment('arrival before')),
        points: integerQuery(2, 5_000, 'most points; default 600'),
        only: Type.Optional(word(['levels'], 'levels: the course of the levels alone, read in larger steps')),
      }),
      response: { 200: Chart },
    },
    handler: async ({ params, query }, reply) => {
      const { points = 600, only } = query
      const [from, to] = [momentOf(query.from, 'from'), momentOf(query.to, 'to')]
      return sendJson(reply, await reading.chart({ ...namesOf(service.get(params.id)), from, to, points, only }))
    },
  })
}

function namesOf({ id, channels, levels }: LiveSystem): Names {
  return { system: id, channels, levels }
}
