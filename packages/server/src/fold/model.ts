import {
  type Asker,
  type Assessment,
  type Assessor,
  addLevel,
  type Feedback as CoreFeedback,
  type Extensions,
  isBounded,
  isEnsemble,
  type Novelty,
  type PromisedAssessment,
  type Promises,
  type PromisesOptions,
  restoreAssessor,
  type StuckChannels,
} from '@pb-oel/core'
import type { AssessmentBody, Configuration, ConfigurationChange, Guarantee, Sample } from '@pb-oel/protocol'
import { makeAsker, makeAssessor, makeNovelty, makePromises, makeStuck, promiseOptions } from './configure.ts'
import { type Excluded, excludedBefore, isExcluded, withRange } from './excluded.ts'
import type { RecentAssessment } from './recent-assessments.ts'
import { shownAssessment } from './shown-assessment.ts'
import { levelTold } from './tally.ts'
import { toldAnswer } from './told-answer.ts'

/** The parts of a model besides the assessor; each is there where the configuration says so. */
const PARTS = ['asker', 'promises', 'novelty', 'stuck'] as const

type SavedParts = Record<(typeof PARTS)[number], Uint8Array | undefined>

/** What is said of a sample. */
interface Judgement {
  body: AssessmentBody
  /** The level that the assessor has drawn; `undefined` where it was not to see the sample. */
  drawn: number | undefined
  /** Accuracy has fallen, as the promises say. */
  fell: boolean
}

/**
 * What a system knows: the assessor, what is asked, found and promised beside it, and which samples it has seen. People
 * and the log go on counting samples that it has forgotten; here their numbers are translated.
 */
export class Model {
  assessor: Assessor
  /** Chooses what people are asked. */
  private asker: Asker | undefined
  /** What is promised whatever the method; systems from before promises were kept have none. */
  promises: Promises | undefined
  /** Finds samples of none of the known levels. */
  novelty: Novelty | undefined
  /** Notices channels that have stopped moving. */
  stuck: StuckChannels | undefined
  /** Number of the first assessment of the present assessor; above 0 where a channel was added. */
  firstAssessment = 0
  /** Assessments whose samples the assessor has forgotten. */
  excluded: Excluded = []
  private readonly method: string
  private readonly extensions: Extensions | undefined

  /**
   * @param extensions methods, detectors and learners from outside that the configuration may name
   * @param assessor where it goes on with one; a fresh one when left out
   */
  constructor(
    configuration: Configuration,
    extensions?: Extensions,
    assessor = makeAssessor(configuration, extensions),
  ) {
    this.method = configuration.method
    this.extensions = extensions
    this.assessor = assessor
    this.asker = makeAsker(configuration)
    this.promises = makePromises(configuration, this.asker)
    this.novelty = makeNovelty(configuration)
    this.stuck = makeStuck(configuration)
  }

  /**
   * Says what is to be said of a sample.
   *
   * @param shown what was shown of it, where a log is run again with another model
   */
  assess(sample: Sample, shown?: AssessmentBody): Judgement {
    const { values } = sample
    const drawn = this.draw(sample, shown)
    const result = shown ? shownAssessment(shown) : this.numbered(drawn as Assessment)
    const drifts = Array.from(result.drifts.keys()).filter((n) => result.drifts[n] === 1)
    const found = drawn && this.novelty?.assess(result.id, Float64Array.from(values))
    const novelty = shown ? shown.novelty : found
    const asked = this.asker?.consider(result, novelty?.novel)
    const promised = this.promise(result, asked !== undefined, drawn?.id)
    this.stuck?.feed(values)
    const body: AssessmentBody = {
      assessment: result.id,
      level: result.level,
      probabilities: Array.from(result.probabilities),
      confidence: promised?.confidence ?? result.confidence,
      ...(promised && {
        rawConfidence: result.confidence,
        safeSide: promised.safeSideLevel,
        trained: promised.trained,
      }),
      ...(novelty && { novelty }),
      experts: Array.from(result.experts),
      ...(drifts.length > 0 && { drifts }),
      ...(this.asker && { asked: asked ?? false }),
    }
    return { body, drawn: drawn?.level, fell: promised?.fell ?? false }
  }

  /** What the assessor says of a sample; `undefined` where it is not to see it. */
  private draw({ values, mode }: Sample, shown: AssessmentBody | undefined): Assessment | undefined {
    if (shown && isExcluded(this.excluded, shown.assessment)) return undefined
    return this.assessor.assess(Float64Array.from(values), mode)
  }

  /** An assessment with the number that everybody else knows it by. */
  private numbered(assessment: Assessment): Assessment {
    const { id, level, probabilities, confidence, experts, drifts } = assessment
    return { id: id + this.firstAssessment + this.forgotten, level, probabilities, confidence, experts, drifts }
  }

  /** The number that the assessor has for an assessment. */
  private innerNumber(assessment: number): number {
    return assessment - this.firstAssessment - excludedBefore(this.excluded, assessment)
  }

  /**
   * Opens the promises of an assessment, and tells the account of regret of the asker's coin.
   *
   * @param inner the number that the assessor has for it; left out where it has not seen the sample
   */
  private promise(assessment: Assessment, asked: boolean, inner?: number): PromisedAssessment | undefined {
    const { promises, asker, assessor } = this
    if (!promises || !asker) return promises?.open(assessment)
    const coin = { probability: asker.probability, asked }
    if (isBounded(assessor) && inner !== undefined) assessor.noteCoin(inner, coin)
    return promises.open(assessment, coin)
  }

  /**
   * Learns from an answer. True when it shows that accuracy has fallen.
   *
   * @param teaches whether the assessor is told
   */
  learn(recent: RecentAssessment, feedback: CoreFeedback, teaches: boolean): boolean {
    const { assessment, withdrawn } = recent
    const told = toldAnswer(recent, feedback, this.assessor.levels)
    if (!teaches) recent.untold = true
    else if (told && !isExcluded(this.excluded, assessment)) this.teach(recent, told)
    this.asker?.hear(feedback)
    const settled = withdrawn ? { ...feedback, correction: true } : feedback
    return this.promises?.settle(assessment - this.firstAssessment, settled) ?? false
  }

  /** Tells the assessor an answer; a correction of what it never heard is the first. */
  private teach(recent: RecentAssessment, told: CoreFeedback): void {
    const first = recent.untold ? { correction: false } : {}
    this.assessor.learn(this.innerNumber(recent.assessment), { ...told, ...first })
    this.novelty?.told(recent.assessment, levelTold(recent.level, this.assessor.levels, told))
    delete recent.untold
  }

  /** Takes an answer back. The assessor still knows it until it is made anew ({@link adopt}). */
  withdraw(recent: RecentAssessment): void {
    this.promises?.withdraw(recent.assessment - this.firstAssessment)
    delete recent.untold
  }

  /** How many samples the answer to an assessment stands for: none where people were not asked. */
  weightOf({ asked }: RecentAssessment): number {
    if (!this.promises || asked === undefined) return 1
    return asked ? 1 / asked.probability : 0
  }

  /** Forgets samples: {@link adopt} must follow. */
  exclude(from: number, to: number): void {
    this.excluded = withRange(this.excluded, from, to)
  }

  /** How many samples it has forgotten. */
  get forgotten(): number {
    return excludedBefore(this.excluded, Number.POSITIVE_INFINITY)
  }

  /** Goes on with what a run has learned that never saw the excluded samples. */
  adopt({ assessor, novelty }: Model): void {
    this.assessor = assessor
    this.novelty = novelty
  }

  /** Changes of the rules of asking and promising take effect with the next sample. */
  reconfigure(configuration: Configuration, change: ConfigurationChange): void {
    if (change.novelty !== undefined) this.novelty = this.changedNovelty(configuration)
    if (change.stuck !== undefined) this.stuck = makeStuck(configuration)
    if (change.ask !== undefined) this.asker = makeAsker(configuration)
    if (change.ask === undefined && change.promises === undefined) return
    // There are options where there are promises.
    this.promises = this.promises?.changed(promiseOptions(configuration, this.asker) as PromisesOptions)
  }

  /** What was told stays known when only the rate changes. */
  private changedNovelty(configuration: Configuration): Novelty | undefined {
    const { novelty } = configuration
    return novelty && (this.novelty?.changed(novelty.falseAlarmEvery) ?? makeNovelty(configuration))
  }

  /** Adds a level behind the others, of which nothing is known until an answer names it. */
  addLevel(): void {
    // First: it may refuse.
    this.assessor = addLevel(this.assessor, this.extensions)
    this.promises = this.promises?.withLevel()
    this.novelty?.addLevel()
  }

  /** What is promised and reached; methods without theorems say so. */
  guarantee(): Guarantee {
    if (isBounded(this.assessor)) return this.assessor.guarantee()
    return { applies: false, reason: `method ${this.method} has no theorem` }
  }

  /** Whether a level is a finding. Systems from before promises were kept have no rule for it. */
  get trained(): boolean {
    return this.promises?.trained ?? true
  }

  /** Whether questions are chosen, so that accuracies are estimates. */
  get estimated(): boolean {
    return this.asker !== undefined
  }

  /** Shares of the experts, where the method has them. */
  weights(): number[] | undefined {
    return isEnsemble(this.assessor) ? Array.from(this.assessor.shares) : undefined
  }

  /** How often the weights have restarted, where they do. */
  restarts(): number | undefined {
    return isEnsemble(this.assessor) ? this.assessor.restarts : undefined
  }

  /** The parts beside the assessor as bytes. */
  saveParts(): SavedParts {
    const [asker, promises, novelty, stuck] = PARTS.map((part) => this[part]?.snapshot())
    return { asker, promises, novelty, stuck }
  }

  /** Goes on with the saved state of each part that it has. */
  restoreParts(saved: SavedParts): void {
    for (const part of PARTS) {
      const bytes = saved[part]
      if (bytes) this[part]?.restore(bytes)
    }
  }

  /** What a clone begins with: all that was learned and promised. Which channels stand still it sees for itself. */
  cloned(configuration: Configuration): Model {
    const assessor = restoreAssessor(this.assessor.snapshot(), this.extensions)
    const clone = new Model(configuration, this.extensions, assessor)
    clone.firstAssessment = this.firstAssessment
    clone.excluded = this.excluded
    clone.restoreParts({ ...this.saveParts(), stuck: undefined })
    return clone
  }
}
