import {
  type Assessment,
  type Assessor,
  createAssessor,
  type Feedback,
  FeedbackModel,
  isBounded,
  isEnsemble,
  type LabelledSample,
  PrequentialMetrics,
  type Stream,
} from '@pb-oel/core'
import type { Figures, LatestAssessment, OwnQuestion } from './figures.ts'
import type { Job } from './job.ts'
import { MOST_POINTS, type Point, Stretch } from './point.ts'
import { RecentSamples } from './recent-samples.ts'

/** What one step of a run came to. */
export type Step = 'went on' | 'asks' | 'done'

/** Samples shown around a question. */
const SHOWN = 240

/**
 * One method over one stream, sample by sample: the loop of `pb-oel run`, so that the same settings give the same
 * figures, with pauses in which the person in front of the page answers.
 */
export class Run {
  readonly points: Point[] = []
  question: OwnQuestion | undefined
  private readonly stream: Stream
  private readonly job: Job
  private readonly assessor: Assessor
  private readonly reviewer: FeedbackModel
  private readonly metrics: PrequentialMetrics
  private readonly samples: Iterator<{ x: Float64Array; level: number }>
  private readonly stretch: Stretch
  private readonly recent: RecentSamples
  private readonly pointEvery: number
  private count = 0
  private drifts = 0
  private labels = 0
  private answers = 0
  private last: LatestAssessment | undefined
  private truth = 0
  private assessed = 0

  constructor(stream: Stream, job: Job) {
    const { seed, method, reviewer } = job
    const levels = stream.levels.length
    const channels = stream.channels.length
    this.stream = stream
    this.job = job
    const task = { channels, levels, seed, rho: reviewer.rho, horizon: stream.samples, warmUp: warmUpOf(stream) }
    this.assessor = createAssessor(method.name, task, { ...method.options })
    const { rho, missing, wrong, law, delay: mean } = reviewer
    this.reviewer = new FeedbackModel({ levels, rho, seed, missing, wrong, delay: { law, mean } })
    this.metrics = new PrequentialMetrics({ levels })
    this.samples = stream[Symbol.iterator]()
    this.stretch = new Stretch(channels)
    this.recent = new RecentSamples(SHOWN, channels)
    this.pointEvery = Math.max(1, Math.ceil(stream.samples / MOST_POINTS))
  }

  /** Assesses one sample and learns what has arrived. */
  step(): Step {
    const next = this.samples.next()
    if (next.done) {
      if (this.stretch.count > 0) this.addPoint()
      return 'done'
    }
    const { x, level: truth } = next.value
    const { by, every, others } = this.job.reviewer
    const mine = by === 'me' && (this.count + 1) % every === 0
    const mode = by === 'me' ? 'unknown' : this.reviewer.mode()
    const assessment = this.assessor.assess(x, mode)
    this.record(x, truth, assessment)
    if (mine) this.question = this.ask(assessment, truth)
    else if (by === 'simulated') this.reviewer.ask(assessment, truth, mode === 'full' ? 'label' : 'verdict')
    else if (others) {
      this.reviewer.ask(assessment, truth, this.reviewer.mode() === 'full' ? 'label' : 'verdict')
    }
    for (const { id, feedback } of this.reviewer.arrived()) this.learn(id, feedback)
    if (this.stretch.count === this.pointEvery) this.addPoint()
    return mine ? 'asks' : 'went on'
  }

  /** The answer of the person in front of the page; `undefined` skips the question. */
  answer(feedback: Feedback | undefined): void {
    const { question } = this
    this.question = undefined
    if (question && feedback) this.learn(question.id, feedback)
  }

  /** Where the run stands. */
  figures(seconds: number): Figures {
    const { metrics, assessor, count } = this
    const { confusion } = metrics
    return {
      samples: count,
      total: this.stream.samples,
      accuracy: confusion.accuracy,
      recent: metrics.windowAccuracy,
      macroF1: confusion.macroF1,
      kappa: confusion.kappa,
      kappaTemporal: metrics.kappaTemporal,
      misses: confusion.misses,
      falseAlarms: confusion.falseAlarms,
      noChange: metrics.noChangeAccuracy,
      labels: this.labels,
      answers: this.answers,
      drifts: this.drifts,
      restarts: isEnsemble(assessor) ? assessor.restarts : undefined,
      guarantee: isBounded(assessor) ? { ...assessor.guarantee() } : undefined,
      speed: seconds > 0 ? count / seconds : 0,
    }
  }

  /** The latest assessment. */
  get latest(): LatestAssessment | undefined {
    return this.last
  }

  private record(x: Float64Array, truth: number, assessment: Assessment): void {
    const { level, drifts } = assessment
    this.count++
    this.metrics.add(truth, level)
    this.stretch.add(x, truth, level, drifts)
    for (let n = 0; n < drifts.length; n++) this.drifts += drifts[n]
    if (this.job.reviewer.by === 'me') this.recent.add(x)
    this.truth = truth
    this.assessed = level
    if (this.stretch.count === this.pointEvery) this.last = this.copy(assessment)
  }

  private copy({ level, probabilities, confidence, experts }: Assessment): LatestAssessment {
    return { sample: this.count, level, probabilities: [...probabilities], confidence, experts: [...experts] }
  }

  private ask(assessment: Assessment, truth: number): OwnQuestion {
    return { ...this.copy(assessment), id: assessment.id, truth, ...this.recent.rows() }
  }

  private learn(id: number, feedback: Feedback): void {
    if (feedback.kind === 'label') this.labels++
    this.answers++
    this.assessor.learn(id, feedback)
  }

  private addPoint(): void {
    const { assessor, metrics, truth, assessed } = this
    const guarantee = isBounded(assessor) ? assessor.guarantee() : undefined
    this.points.push({
      sample: this.count,
      accuracy: metrics.confusion.accuracy,
      recent: metrics.windowAccuracy,
      value: guarantee?.value,
      ultimate: guarantee?.ultimate,
      bestExpert: guarantee?.bestExpertAccuracy,
      ...(isEnsemble(assessor) && { shares: [...assessor.shares] }),
      truth,
      assessed,
      ...this.stretch.take(),
    })
  }
}

/** The paper's warm-up: the first sample of each level, in the order of the stream. */
function warmUpOf(stream: Stream): LabelledSample[] {
  const first = new Map<number, LabelledSample>()
  for (const { x, level } of stream) {
    if (!first.has(level)) first.set(level, { x: Array.from(x), level })
    if (first.size === stream.levels.length) break
  }
  return [...first.values()]
}
