import { dive, type FeedbackMode, Random, type Sample } from '@pb-oel/core'
import { NotFound, ServiceError } from '../errors.ts'
import type { Service } from '../service/service.ts'

/** How a simulation runs. */
export interface SimulationSetting {
  /** Name of the system it feeds. */
  system: string
  /** Samples a second, 0 … 10,000; 0 pauses. */
  speed: number
  /** Share of the questions that the simulated expert answers; the rest is left to people. */
  answers: number
  /** Share of its answers that name the level instead of right or wrong. */
  labels: number
}

/** Milliseconds between two looks at the clock; more samples than one are sent in between when the speed asks for it. */
const TICK = 50

/**
 * Dives that stream in one after the other through the same door as real sensors, and an expert who answers part of
 * the questions at once. A restart goes on where the log ended.
 */
export class Simulation {
  readonly setting: SimulationSetting
  private readonly service: Service
  private readonly expert: Random
  private samples: Iterator<Sample>
  private number = 0
  private dives = 0
  private timer: NodeJS.Timeout | undefined
  private running: Promise<void> = Promise.resolve()
  private due = 0
  private lastTick = 0

  private constructor(service: Service, setting: SimulationSetting) {
    this.service = service
    this.setting = { ...setting }
    this.samples = dive()[Symbol.iterator]()
    this.expert = new Random(1, 'simulated expert')
  }

  /** Makes the system where there is none yet, and begins. */
  static async start(service: Service, setting: SimulationSetting): Promise<Simulation> {
    const { system } = setting
    const stream = dive()
    try {
      service.get(system)
    } catch (error) {
      if (!(error instanceof NotFound)) throw error
      await service.create(
        system,
        {
          title: 'Simulated dive',
          channels: [...stream.channels],
          levels: [...stream.levels],
          missing: 'hold',
          options: { pending: 4096 },
          alarm: { level: stream.levels.length - 1, raiseAfter: 2, clearAfter: 2 },
        },
        'simulator',
      )
    }
    const simulation = new Simulation(service, setting)
    const done = service.get(system).fold.tally.samples
    while (simulation.number < done) simulation.next()
    simulation.begin()
    return simulation
  }

  /** Changes speed or shares from now on. */
  change(setting: Partial<Omit<SimulationSetting, 'system'>>): SimulationSetting {
    Object.assign(this.setting, setting)
    return this.setting
  }

  /** Ends after the sample under way. */
  async stop(): Promise<void> {
    clearInterval(this.timer)
    this.timer = undefined
    await this.running
  }

  private begin(): void {
    this.lastTick = performance.now()
    let busy = false
    this.timer = setInterval(() => {
      const now = performance.now()
      // A machine that can not follow skips ahead instead of piling up.
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
    }, TICK)
  }

  private async send(): Promise<void> {
    for (; this.due >= 1 && this.timer !== undefined; this.due--) {
      const { x, level } = this.next()
      const answered = this.expert.uniform() < this.setting.answers
      const mode: FeedbackMode = !answered
        ? 'unknown'
        : this.expert.uniform() < this.setting.labels
          ? 'full'
          : 'partial'
      try {
        await this.one(Array.from(x), level, mode, answered)
      } catch (error) {
        // A full disk or a rebuild: the service says so itself; the dive waits.
        if (!(error instanceof ServiceError)) throw error
        this.due = 0
      }
    }
  }

  private async one(values: number[], truth: number, mode: FeedbackMode, answered: boolean): Promise<void> {
    const { system } = this.setting
    const assessing = this.service.sample(system, { values, mode }, 'simulator')
    const { id, level } = await assessing
    if (!answered) return
    const right = level === truth
    const answer =
      mode === 'full'
        ? { answer: 'label' as const, level: truth }
        : { answer: right ? ('confirm' as const) : ('reject' as const) }
    await this.service.feedback(system, { assessment: id, ...answer }, 'simulated expert')
  }

  private next(): Sample {
    let result = this.samples.next()
    if (result.done) {
      this.samples = dive({ seed: 1 + ++this.dives })[Symbol.iterator]()
      result = this.samples.next()
    }
    this.number++
    return result.value
  }
}
