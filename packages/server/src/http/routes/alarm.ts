import { type AlarmAction, GivenAcknowledgement, GivenAction, GivenShelving, SystemDetail } from '@pb-oel/protocol'
import type { Permission } from '../../auth/roles.ts'
import { detail } from '../../views/system.ts'
import { type App, author, type Context } from '../context.ts'
import { SystemParams } from '../parameters.ts'

/** What people can do with an alarm, beside acknowledging it. */
const ACTIONS: Record<AlarmAction, { operationId: string; summary: string; permission: Permission }> = {
  shelve: {
    operationId: 'shelveAlarm',
    summary: 'Put an alarm on the shelf: it calls nobody for a while, or until it ends (oneShot)',
    permission: 'answer',
  },
  unshelve: { operationId: 'unshelveAlarm', summary: 'Take an alarm from the shelf', permission: 'answer' },
  reset: {
    operationId: 'resetAlarm',
    summary: 'Reset a latched alarm that was acknowledged and has ended',
    permission: 'answer',
  },
  'out-of-service': {
    operationId: 'takeAlarmOutOfService',
    summary: 'Take an alarm out of service, such as for work on a sensor',
    permission: 'admin',
  },
  'in-service': {
    operationId: 'putAlarmInService',
    summary: 'Put an alarm back into service',
    permission: 'admin',
  },
}

/** Alarms: what people do with them. */
export function alarmRoutes(app: App, context: Context): void {
  const { service } = context
  const show = (id: string) => {
    const system = service.get(id)
    return system.read(detail(system.now))
  }
  app.post('/v1/systems/:id/alarm/acknowledge', {
    config: { permission: 'answer' },
    schema: {
      operationId: 'acknowledgeAlarm',
      summary: 'Acknowledge the latest alarm by its number, perhaps with a comment',
      params: SystemParams,
      body: GivenAcknowledgement,
      response: { 200: SystemDetail },
    },
    handler: async (request) => {
      const { number, about, comment, by } = request.body
      await service.acknowledge(request.params.id, number, author(request, by), about, comment)
      return show(request.params.id)
    },
  })
  for (const [action, { operationId, summary, permission }] of Object.entries(ACTIONS)) {
    app.post(`/v1/systems/:id/alarm/${action}`, {
      config: { permission },
      schema: {
        ...{ operationId, summary },
        params: SystemParams,
        body: action === 'shelve' ? GivenShelving : GivenAction,
        response: { 200: SystemDetail },
      },
      handler: async (request) => {
        const { by, ...given } = request.body as typeof GivenShelving.static
        await service.alarmAction(request.params.id, {
          ...given,
          action: action as AlarmAction,
          by: author(request, by),
        })
        return show(request.params.id)
      },
    })
  }
}
