import type { SimulationChange, SimulationSetting } from '@pb-oel/protocol'
import { InTurn } from '../clock/in-turn.ts'
import type { Service } from '../service/service.ts'
import { namesOf, Simulation, type SimulationPlan } from './simulation.ts'

/**
 * A simulation that runs while this process has its systems: always on a single server, in turns in a cluster. There
 * each system is fed by the worker that has it. All of them get the same samples, since the stream is the same and each
 * goes on where its log ends.
 */
export class OwnedSimulation {
  readonly setting: SimulationSetting
  /** Names of the systems, the first one and those beside it. */
  readonly systems: readonly string[]
  private readonly service: Service
  private readonly plan: SimulationPlan
  private readonly turns = new InTurn()
  /** What runs here, by the system that is fed, or by the first one when all are. */
  private readonly running = new Map<string, Simulation>()

  constructor(service: Service, { open, beside, ...setting }: SimulationSetting & SimulationPlan) {
    this.service = service
    this.setting = setting
    this.plan = { open, beside }
    this.systems = namesOf(setting.system, beside).map(({ system }) => system)
  }

  /** Whether the first system is fed here. */
  get begun(): boolean {
    return this.running.has(this.setting.system)
  }

  /**
   * Goes on where the logs of the systems end; makes those that are missing.
   *
   * @param only the system that this worker has; all of them when left out
   */
  start(only?: string): Promise<void> {
    const { system } = this.setting
    return this.turns.take(async () => {
      if (this.running.has(only ?? system)) return
      this.running.set(only ?? system, await Simulation.start(this.service, this.setting, { ...this.plan, only }))
    })
  }

  /** Ends after the sample under way, for one system or for all. */
  stop(only?: string): Promise<void> {
    return this.turns.take(async () => {
      for (const [system, simulation] of this.running) {
        if (only !== undefined && system !== only) continue
        this.running.delete(system)
        await simulation.stop()
      }
    })
  }

  /**
   * Changes speed or shares from now on, also of what begins later, or begins a new stream. Resolves when the samples
   * under way are in.
   */
  async change(change: SimulationChange): Promise<SimulationSetting> {
    const { again: _, ...lasting } = change
    Object.assign(this.setting, lasting)
    await Promise.all([...this.running.values()].map((simulation) => simulation.change(change)))
    return this.setting
  }
}
