import { SimulationChange, SimulationSetting } from '@pb-oel/protocol'
import { NotFound, NotReady } from '../../errors.ts'
import type { App, Context } from '../context.ts'
import { askOthers } from '../others.ts'

/** The simulated dive: how fast it is, and how much of it the simulated reviewer answers. */
export function simulationRoutes(app: App, context: Context): void {
  const simulated = () => {
    const { simulation } = context
    if (!simulation) throw new NotFound('this server does not simulate')
    return simulation
  }

  app.get('/v1/simulation', {
    config: { permission: 'read' },
    schema: {
      operationId: 'getSimulation',
      summary: 'The simulation, where there is one',
      response: { 200: SimulationSetting },
    },
    handler: async () => {
      const { begun, setting } = simulated()
      if (!begun) throw new NotReady('the simulation is about to begin')
      return setting
    },
  })

  app.patch('/v1/simulation', {
    config: { permission: 'admin' },
    schema: {
      operationId: 'changeSimulation',
      summary: 'Make the simulation faster, slower or pause it',
      body: SimulationChange,
      response: { 200: SimulationSetting },
    },
    handler: async (request) => {
      const setting = await simulated().change(request.body)
      // Other workers feed other systems of it, or will.
      await askOthers(request, context.cluster)
      return setting
    },
  })
}
