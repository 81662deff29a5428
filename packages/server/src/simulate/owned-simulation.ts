import type { SimulationSetting } from '@pb-oel/protocol'
import { InTurn } from '../clock/in-turn.ts'
import type { Service } from '../service/service.ts'
import { Simulation, type SimulationPlan } from './simulation.ts'

/** A simulation that runs while this process has its system: always on a single server, in turns in a cluster. */
export class OwnedSimulation {
  /** The simulation while it runs here. */
  current: Simulation | undefined
  readonly system: string
  private readonly service: Service
  private readonly setting: SimulationSetting
  private readonly plan: SimulationPlan
  private readonly turns = new InTurn()

  constructor(service: Service, { open, beside, ...setting }: SimulationSetting & SimulationPlan) {
    this.service = service
    this.setting = setting
    this.system = setting.system
    this.plan = { open, beside }
  }

  /** Goes on where the log of the system ends; makes the system where there is none. */
  start(): Promise<void> {
    return this.turns.take(async () => {
      this.current ??= await Simulation.start(this.service, this.setting, this.plan)
    })
  }

  /** Ends after the sample under way. */
  stop(): Promise<void> {
    return this.turns.take(async () => {
      const { current } = this
      this.current = undefined
      await current?.stop()
    })
  }
}
