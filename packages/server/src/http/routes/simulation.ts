import { SimulationChange, SimulationSetting } from '@pb-oel/protocol'
import { NotFound, NotReady } from '../../errors.ts'
import type { App, Context } from '../context.ts'

/** The simulated dive: how fast it is, and how much of it the simulated reviewer answers. */
export function simulationRoutes(app: App, context: Context): void {
  const running = () => {
    const { simulation } = context
    if (!simulation) throw new NotFound('this server does not simulate')
    if (!simulation.current) throw new NotReady('the simulation is about to begin')
    return simulation.current
  }

  app.get('/v1/simulation', {
    config: { permission: 'read' },
    schema: {
      operationId: 'getSimulation',
      summary: 'The simulation, where there is one',
      response: { 200: SimulationSetting },
    },
    handler: async () => running().setting,
  })

  app.patch('/v1/simulation', {
    config: { permission: 'admin' },
    schema: {
      operationId: 'changeSimulation',
      summary: 'Make the simulation faster, slower or pause it',
      body: SimulationChange,
      response: { 200: SimulationSetting },
    },
    handler: async ({ body }) => running().change(body),
  })
}
