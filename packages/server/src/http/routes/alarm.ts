import { about, name, SystemDetail, strict } from '@pb-oel/protocol'
import { Type } from '@sinclair/typebox'
import { detail } from '../../views/system.ts'
import { type App, author, type Context } from '../context.ts'
import { SystemParams } from '../parameters.ts'

/** Alarms: a person says that they have seen one. */
export function alarmRoutes(app: App, { service }: Context): void {
  app.post('/v1/systems/:id/alarm/acknowledge', {
    config: { permission: 'answer' },
    schema: {
      operationId: 'acknowledgeAlarm',
      summary: 'Acknowledge the latest alarm by its number',
      params: SystemParams,
      body: Type.Object(
        {
          number: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
          about,
          by: Type.Optional(name('who')),
        },
        strict,
      ),
      response: { 200: SystemDetail },
    },
    handler: async (request) => {
      const { id } = request.params
      const { number, about, by } = request.body
      await service.acknowledge(id, number, author(request, by), about)
      const system = service.get(id)
      return system.read(detail(system.now))
    },
  })
}
