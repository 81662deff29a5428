import { type Static, Type } from '@sinclair/typebox'
import { share, strict } from './field.ts'

const speed = Type.Number({ minimum: 0, maximum: 10_000, description: 'samples per second; 0 pauses' })
const answers = share(
  'share of the samples that the simulated reviewer answers at once; the rest it leaves to people for 400 samples, ' +
    'then it answers those too; with 0 people answer everything',
)
const labels = share('share of these answers that name the level')

/** How the simulation runs. */
export const SimulationSetting = Type.Object({
  system: Type.String({ description: 'name of the system it feeds' }),
  speed,
  answers,
  labels,
})
export type SimulationSetting = Static<typeof SimulationSetting>

/** A change of the simulation. */
export const SimulationChange = Type.Partial(
  Type.Object({
    ...{ speed, answers, labels },
    again: Type.Boolean({ description: 'true: a new stream begins with the next sample; the model goes on' }),
  }),
  strict,
)
export type SimulationChange = Static<typeof SimulationChange>
