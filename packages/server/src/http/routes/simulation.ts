import { Type } from '@sinclair/typebox'
import { NotFound } from '../../errors.ts'
import type { App, Context } from '../context.ts'
import { strict } from '../schemas.ts'

const Setting = Type.Object({
  system: Type.String(),
  speed: Type.Number({ description: 'samples a second; 0 pauses' }),
  answers: Type.Number({ description: 'share of the questions the simulated expert answers' }),
  labels: Type.Number({ description: 'share of these answered with the level itself' }),
})

/** The simulated dive: how fast, and how much of the queue its expert answers. */
export function simulationRoutes(app: App, { simulation }: Context): void {
  const running = () => {
    if (!simulation) throw new NotFound('this server does not simulate')
    return simulation
  }

  app.get('/v1/simulation', {
    config: { permission: 'read' },
    schema: { operationId: 'getSimulation', summary: 'The simulation, where there is one', response: { 200: Setting } },
    handler: async () => running().setting,
  })

  app.patch('/v1/simulation', {
    config: { permission: 'admin' },
    schema: {
      operationId: 'changeSimulation',
      summary: 'Make the simulation faster, slower or pause it',
      body: Type.Object(
        {
          speed: Type.Optional(Type.Number({ minimum: 0, maximum: 10_000 })),
          answers: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
          labels: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
        },
        strict,
      ),
      response: { 200: Setting },
    },
    handler: async ({ body }) => running().change(body),
  })
}
