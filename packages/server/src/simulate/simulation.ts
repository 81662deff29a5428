import { dive, type Sample, type Stream } from '@pb-oel/core'
import type { SimulationChange, SimulationSetting } from '@pb-oel/protocol'
import { ServiceError } from '../errors.ts'
import type { Service } from '../service/service.ts'
import { type SimulatedName, SimulatedSystem } from './simulated-system.ts'

/** Milliseconds between two looks at the clock; several samples are sent in between when the speed asks for it. */
const TICK = 50

/** Opens the stream for the n-th time, n = 0, 1, 2, …; a generator may take another seed each time. */
export type OpenStream = (round: number) => Stream

const dives: OpenStream = (round) => dive({ seed: 1 + round })

/** What a simulation is beside its setting. */
export interface SimulationPlan {
  /** What is simulated; dives where it is left out. */
  readonly open?: OpenStream
  /** Methods that assess the same samples too, each in a system of its own: `dive-pb-oel` beside `dive`. */
  readonly beside?: readonly string[]
  /** The one of the systems that is fed here; all of them where it is left out. */
  readonly only?: string
}

/** The systems of a simulation: the first one and those beside it. */
export function namesOf(system: string, beside: readonly string[] = []): SimulatedName[] {
  return [
    { system, title: `Simulated ${system}` },
    ...beside.map((method) => ({ system: `${system}-${method}`, title: `Simulated ${system}, ${method}`, method })),
  ]
}

/**
 * A stream that comes in again and again through the same door as real sensors, into one system or into several side by
 * side, each with a simulated reviewer of the same habits. A restart goes on where the log ended.
 */
export class Simulation {
  readonly setting: SimulationSetting
  private readonly service: Service
  private readonly open: OpenStream
  private readonly systems: readonly SimulatedSystem[]
  private samples: Iterator<Sample>
  private number = 0
  private round = 0
  private stopTicking: (() => void) | undefined
  private running: Promise<void> = Promise.resolve()
  private due = 0
  private lastTick = 0

  private constructor(
    service: Service,
    setting: SimulationSetting,
    open: OpenStream,
    systems: readonly SimulatedSystem[],
  ) {
    this.service = service
    this.open = open
    this.setting = setting
    this.systems = systems
    this.samples = open(0)[Symbol.iterator]()
  }

  /** Makes the systems that there are not yet, and begins. */
  static async start(
    service: Service,
    given: SimulationSetting,
    { open = dives, beside, only }: SimulationPlan = {},
  ): Promise<Simulation> {
    const setting = { ...given }
    const stream = open(0)
    const names = namesOf(setting.system, beside).filter(({ system }) => only === undefined || system === only)
    const systems: SimulatedSystem[] = []
    for (const name of names) systems.push(await SimulatedSystem.open(service, name, stream, setting))
    const simulation = new Simulation(service, setting, open, systems)
    const done = Math.min(...systems.map(({ samples }) => samples))
    while (simulation.number < done) simulation.next()
    simulation.begin()
    return simulation
  }

  /** Changes speed or shares from now on, or begins a new stream; resolves when the sample under way is in. */
  async change({ again = false, ...change }: SimulationChange): Promise<void> {
    Object.assign(this.setting, change)
    // What the old speed owed is not sent any more: a pause begins at once.
    this.due = 0
    if (again) this.samples = this.open(++this.round)[Symbol.iterator]()
    for (const system of this.systems) system.change(this.setting)
    await this.running
  }

  /** Ends after the sample under way. */
  async stop(): Promise<void> {
    this.stopTicking?.()
    this.stopTicking = undefined
    await this.running
  }

  private begin(): void {
    const { clock } = this.service.time
    this.lastTick = clock.monotonic()
    let busy = false
    this.stopTicking = clock.every(TICK, () => {
      const now = clock.monotonic()
      // A machine that cannot keep up skips ahead instead of piling up.
      this.due = Math.min(
        this.due + ((now - this.lastTick) / 1000) * this.setting.speed,
        Math.max(1, this.setting.speed),
      )
      this.lastTick = now
      if (busy || this.due < 1) return
      busy = true
      this.running = this.send().finally(() => {
        busy = false
      })
    })
  }

  private async send(): Promise<void> {
    while (this.due >= 1 && this.stopTicking !== undefined) {
      this.due--
      const { x, level } = this.next()
      await Promise.all(this.systems.map((system) => this.give(system, Array.from(x), level)))
    }
  }

  private async give(system: SimulatedSystem, values: number[], truth: number): Promise<void> {
    // After a crash the log of one may hold a sample more than that of another.
    if (system.samples >= this.number) return
    try {
      await system.take(values, truth)
    } catch (error) {
      // A full disk or a rebuild: the service says so itself; the simulation waits.
      if (!(error instanceof ServiceError)) throw error
      this.due = 0
    }
  }

  private next(): Sample {
    let result = this.samples.next()
    if (result.done) {
      this.samples = this.open(++this.round)[Symbol.iterator]()
      result = this.samples.next()
    }
    this.number++
    return result.value
  }
}
