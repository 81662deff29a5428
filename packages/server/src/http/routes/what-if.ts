import { GivenWhatIf, ReviewerList, WhatIfResult } from '@pb-oel/protocol'
import type { App, Context } from '../context.ts'
import { SystemParams } from '../parameters.ts'
import { sendJson } from '../send-json.ts'
import { takeTime } from '../take-time.ts'
import { whileAsked } from '../while-asked.ts'

/** What another model would have said, and what each reviewer has said: both from the log, beside the living system. */
export function whatIfRoutes(app: App, { service, reading }: Context): void {
  app.post('/v1/systems/:id/what-if', {
    config: { permission: 'read' },
    schema: {
      operationId: 'whatIf',
      summary:
        'Run another method or other options over the log of a system and compare, in a thread of its own; ends with ' +
        'the request',
      params: SystemParams,
      body: GivenWhatIf,
      response: { 200: WhatIfResult },
    },
    handler: async (request, reply) => {
      const { id } = service.get(request.params.id)
      takeTime(app, reply)
      return sendJson(reply, await reading.whatIf(id, request.body, whileAsked(reply.raw)))
    },
  })

  app.get('/v1/systems/:id/reviewers', {
    config: { permission: 'read' },
    schema: {
      operationId: 'listReviewers',
      summary: 'What each reviewer has said, from the log',
      params: SystemParams,
      response: { 200: ReviewerList },
    },
    handler: async (request, reply) => {
      const { id: system, channels, levels } = service.get(request.params.id)
      return sendJson(reply, await reading.reviewers({ system, channels, levels }))
    },
  })
}
