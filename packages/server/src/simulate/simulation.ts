import {
  dive,
  FeedbackModel,
  RepeatedFeedbackError,
  type Sample,
  type Stream,
  UnknownAssessmentError,
} from '@pb-oel/core'
import type { SimulationChange, SimulationSetting } from '@pb-oel/protocol'
import { NotFound, ServiceError } from '../errors.ts'
import type { Service } from '../service/service.ts'
import { samplesMade } from '../views/progress.ts'

/** Milliseconds between two looks at the clock; several samples are sent in between when the speed asks for it. */
const TICK = 50

/** Under which name the simulated person answers. */
const REVIEWER = 'simulated reviewer'

/** How many samples people have to answer the rest before the simulated person does. */
const PATIENCE = 400

/** A question that the simulated reviewer has left to people. */
interface LeftQuestion {
  assessment: number
  level: number
  truth: number
  labelled: boolean
}

/** Opens the stream for the n-th time, n = 0, 1, 2, …; a generator may take another seed each time. */
export type OpenStream = (round: number) => Stream

const dives: OpenStream = (round) => dive({ seed: 1 + round })

/**
 * A stream that comes in again and again through the same door as real sensors, and a simulated reviewer who answers
 * part of the questions at once. People have some time for the rest. Then the reviewer answers those too, since a
 * question that nobody answers counts against every promise. A restart goes on where the log ended.
 */
export class Simulation {
  readonly setting: SimulationSetting
  private readonly service: Service
  private readonly open: OpenStream
  private readonly levels: number
  private reviewer: FeedbackModel
  private samples: Iterator<Sample>
  private readonly left: LeftQuestion[] = []
  private number = 0
  private round = 0
  private stopTicking: (() => void) | undefined
  private running: Promise<void> = Promise.resolve()
  private due = 0
  private lastTick = 0

  private constructor(service: Service, setting: SimulationSetting, open: OpenStream) {
    const stream = open(0)
    this.service = service
    this.open = open
    this.setting = { ...setting }
    this.levels = stream.levels.length
    this.samples = stream[Symbol.iterator]()
    this.reviewer = this.makeReviewer()
  }

  /** Makes the system where there is none yet, and begins. */
  static async start(service: Service, setting: SimulationSetting, open: OpenStream = dives): Promise<Simulation> {
    const { system } = setting
    const stream = open(0)
    try {
      service.get(system)
    } catch (error) {
      if (!(error instanceof NotFound)) throw error
      await service.create(
        system,
        {
          title: `Simulated ${system}`,
          channels: [...stream.channels],
          levels: [...stream.levels],
          missing: 'hold',
          // Ten minutes at the usual speed.
          options: { pending: 12_288 },
          alarm: { level: stream.levels.length - 1, raiseAfter: 2, clearAfter: 2 },
        },
        'simulator',
      )
    }
    const simulation = new Simulation(service, setting, open)
    const done = await service.get(system).read(samplesMade())
    while (simulation.number < done) simulation.next()
    simulation.begin()
    return simulation
  }

  /** Changes speed or shares from now on, or begins a new stream. */
  change({ again = false, ...change }: SimulationChange): SimulationSetting {
    Object.assign(this.setting, change)
    if (again) this.samples = this.open(++this.round)[Symbol.iterator]()
    this.reviewer = this.makeReviewer()
    return this.setting
  }

  /** Ends after the sample under way. */
  async stop(): Promise<void> {
    this.stopTicking?.()
    this.stopTicking = undefined
    await this.running
  }

  private makeReviewer(): FeedbackModel {
    const { answers, labels } = this.setting
    return new FeedbackModel({ levels: this.levels, rho: labels, missing: 1 - answers })
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
    for (; this.due >= 1 && this.stopTicking !== undefined; this.due--) {
      const { x, level } = this.next()
      try {
        await this.one(Array.from(x), level)
      } catch (error) {
        // A full disk or a rebuild: the service says so itself; the simulation waits.
        if (!(error instanceof ServiceError)) throw error
        this.due = 0
      }
    }
  }

  private async one(values: number[], truth: number): Promise<void> {
    const { service, reviewer } = this
    const { system } = this.setting
    const mode = reviewer.mode()
    const { assessment, level, confidence } = await service.sample(system, { values, mode }, 'simulator')
    reviewer.ask({ id: assessment, level, confidence }, truth, mode === 'full' ? 'label' : 'verdict')
    let answered = false
    for (const { id, feedback } of reviewer.arrived()) {
      const named = feedback.kind === 'label' ? { level: feedback.level } : {}
      await service.feedback(system, { assessment: id, kind: feedback.kind, ...named }, REVIEWER)
      answered ||= id === assessment
    }
    if (!answered) this.left.push({ assessment, level, truth, labelled: mode === 'full' })
    const [oldest] = this.left
    if (oldest && oldest.assessment <= assessment - PATIENCE) await this.answerLate(this.left.shift() as LeftQuestion)
  }

  /** Answers a question that people have left, unless people are to answer everything. */
  private async answerLate({ assessment, level, truth, labelled }: LeftQuestion): Promise<void> {
    const { system, answers } = this.setting
    if (answers === 0) return
    const verdict = { kind: level === truth ? ('confirm' as const) : ('reject' as const) }
    const answer = labelled ? { kind: 'label' as const, level: truth } : verdict
    try {
      await this.service.feedback(system, { assessment, ...answer }, REVIEWER)
    } catch (error) {
      // Somebody was faster, or it is no longer kept.
      if (!(error instanceof RepeatedFeedbackError || error instanceof UnknownAssessmentError)) throw error
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
