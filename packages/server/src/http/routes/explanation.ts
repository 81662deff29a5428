import { assessmentNumber, Explanation } from '@pb-oel/protocol'
import { Type } from '@sinclair/typebox'
import { NotFound } from '../../errors.ts'
import { Explanations } from '../../service/explanations.ts'
import { samplesMade } from '../../views/progress.ts'
import type { App, Context } from '../context.ts'
import { SystemParams } from '../parameters.ts'
import { sendJson } from '../send-json.ts'

/** Why a level: the channels ranked by what they contribute. */
export function explanationRoutes(app: App, { service, reading }: Context): void {
  const explanations = new Explanations(reading, () => service.clock())

  app.get('/v1/systems/:id/explanation', {
    config: { permission: 'read' },
    schema: {
      operationId: 'explain',
      summary:
        'Why the latest samples, or those up to an assessment, have their level: channels ranked by what they ' +
        'contribute, by the present model',
      params: SystemParams,
      querystring: Type.Object({ assessment: Type.Optional(assessmentNumber) }),
      response: { 200: Explanation },
    },
    handler: async ({ params, query }, reply) => {
      const system = service.get(params.id)
      const { assessment } = query
      if (assessment !== undefined && assessment >= (await system.read(samplesMade()))) {
        throw new NotFound(`assessment ${assessment} was never made`)
      }
      return sendJson(reply, await explanations.explain(system, assessment))
    },
  })
}
