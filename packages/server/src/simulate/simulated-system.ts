import { FeedbackModel, RepeatedFeedbackError, type Stream, UnknownAssessmentError } from '@pb-oel/core'
import type { SimulationSetting } from '@pb-oel/protocol'
import { NotFound } from '../errors.ts'
import type { Service } from '../service/service.ts'
import { samplesMade } from '../views/progress.ts'

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

/** A system that a simulation feeds. */
export interface SimulatedName {
  /** Its id and its title. */
  readonly system: string
  readonly title: string
  /** Its method; the service's own choice where it is left out. */
  readonly method?: string
}

/**
 * One system of a simulation with its simulated reviewer, who answers part of the questions at once. People have some
 * time for the rest. Then the reviewer answers those too, since a question that nobody answers counts against every
 * promise.
 */
export class SimulatedSystem {
  /** How many samples of the stream it has had. */
  samples: number
  private readonly service: Service
  private readonly system: string
  private readonly levels: number
  private readonly left: LeftQuestion[] = []
  private reviewer: FeedbackModel
  private answers: number

  private constructor(service: Service, system: string, levels: number, samples: number, setting: SimulationSetting) {
    this.service = service
    this.system = system
    this.levels = levels
    this.samples = samples
    this.answers = setting.answers
    this.reviewer = this.makeReviewer(setting)
  }

  /** Makes the system where there is none yet; it has then had as many samples as its log holds. */
  static async open(
    service: Service,
    { system, title, method }: SimulatedName,
    stream: Stream,
    setting: SimulationSetting,
  ): Promise<SimulatedSystem> {
    await service.settled(system)
    try {
      service.get(system)
    } catch (error) {
      if (!(error instanceof NotFound)) throw error
      await service.create(
        system,
        {
          title,
          ...(method !== undefined && { method }),
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
    const samples = await service.get(system).read(samplesMade())
    return new SimulatedSystem(service, system, stream.levels.length, samples, setting)
  }

  /** The reviewer answers otherwise from now on. */
  change(setting: SimulationSetting): void {
    this.answers = setting.answers
    this.reviewer = this.makeReviewer(setting)
  }

  /** Takes the next sample; the reviewer answers what is due. */
  async take(values: number[], truth: number): Promise<void> {
    const { service, reviewer, system } = this
    this.samples++
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
    if (this.answers === 0) return
    const verdict = { kind: level === truth ? ('confirm' as const) : ('reject' as const) }
    const answer = labelled ? { kind: 'label' as const, level: truth } : verdict
    try {
      await this.service.feedback(this.system, { assessment, ...answer }, REVIEWER)
    } catch (error) {
      // Somebody was faster, or it is no longer kept.
      if (!(error instanceof RepeatedFeedbackError || error instanceof UnknownAssessmentError)) throw error
    }
  }

  private makeReviewer({ answers, labels }: SimulationSetting): FeedbackModel {
    return new FeedbackModel({ levels: this.levels, rho: labels, missing: 1 - answers })
  }
}
