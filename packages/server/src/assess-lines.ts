import {
  type Extensions,
  type FeedbackMode,
  FeedbackModel,
  findMethod,
  type LabelledSample,
  OptionError,
} from '@pb-oel/core'
import {
  type AssessmentBody,
  type Feedback,
  readAnswer,
  readSensorSample,
  type SensorSample,
  type SystemRequest,
} from '@pb-oel/protocol'
import { systemClock } from './clock/clock.ts'
import { InvalidRequest } from './errors.ts'
import { completeValues } from './fold/complete-sample.ts'
import { configure } from './fold/configure.ts'
import { levelIndex } from './fold/level-index.ts'
import { Model } from './fold/model.ts'
import { SystemFold } from './fold/system-fold.ts'
import { answerLines } from './http/ndjson.ts'
import { assessedSample, assessmentOf } from './views/assessed-sample.ts'

/** A system without its name, whose channels may be left to the first sample. */
type GivenLines = Omit<SystemRequest, 'channels'> & { channels?: string[] }

/** A run of the lab over lines: the method has the lab's defaults, and reviewers are simulated. */
export interface LineRun {
  /** Share of the labels that are learned as they are; of the others only right or wrong is learned, 0 … 1. */
  rho: number
  /** Number of samples to come, where it is known. */
  horizon?: number
  /** Labelled samples to start from. */
  warmUp?: readonly LabelledSample[]
}

/**
 * Assesses lines without a server: each line is a sample or, with `assessment`, an answer to an earlier assessment, as
 * in the HTTP API; each is answered by a line. Nothing is kept after the end.
 *
 * @param given the system; without `channels` they are those of the first sample
 * @param extensions methods, detectors and learners from outside that the system may use
 * @param run where given, samples and labels are learned as `pb-oel run` does, with the same seed to the same bits
 */
export function assessLines(
  input: AsyncIterable<Buffer>,
  given: GivenLines,
  extensions?: Extensions,
  run?: LineRun,
): AsyncIterable<Buffer> {
  const reviewers = run && new Reviewers(given, run)
  let fold: SystemFold | undefined
  return answerLines(input, async (line) => {
    if (line !== null && typeof line === 'object' && 'assessment' in line) return learn(fold, line, reviewers)
    const sample = readSensorSample(line)
    const { values } = sample
    fold ??= newFold({ ...given, channels: given.channels ?? channelsOf(values) }, extensions, run)
    return assess(fold, sample, reviewers)
  })
}

/** Decides for each sample what its reviewers will say, by the coins of the lab's reviewers. */
class Reviewers {
  private readonly model: FeedbackModel
  private mode: FeedbackMode | undefined
  private readonly verdicts = new Set<number>()

  constructor({ levels, seed }: GivenLines, { rho }: LineRun) {
    this.model = new FeedbackModel({ levels: levels.length, rho, seed })
  }

  /** Whether the next assessment will be answered by its label. A sample that was refused leaves its coin behind. */
  next(): FeedbackMode {
    this.mode ??= this.model.mode()
    return this.mode
  }

  assessed(assessment: number, kept: number): void {
    if (this.mode === 'partial') this.verdicts.add(assessment)
    this.verdicts.delete(assessment - kept)
    this.mode = undefined
  }

  /** What is said of an assessment whose true level is known. */
  say(answer: Feedback, assessed: number | undefined): Feedback {
    const { level, ...verdict } = answer
    if (level === undefined) throw new InvalidRequest('with --rho an answer is a label: reviewers are simulated')
    if (!this.verdicts.has(answer.assessment)) return answer
    return { ...verdict, kind: level === assessed ? 'confirm' : 'reject' }
  }
}

function newFold(given: SystemRequest, extensions?: Extensions, run?: LineRun): SystemFold {
  const configuration = configure('stdin', given, extensions)
  if (!run) return new SystemFold('stdin', configuration, 1, 0, extensions)
  const { method, seed, channels, levels } = configuration
  const { options = {} } = given
  const wrong = run.warmUp?.findIndex(({ level }) => level >= levels.length) ?? -1
  if (wrong >= 0) throw new OptionError('warmUp', wrong, `samples of the levels 0 to ${levels.length - 1}`)
  const task = { ...run, channels: channels.length, levels: levels.length, seed }
  const assessor = findMethod(method, extensions).create(task, options, extensions)
  const asGiven = { ...configuration, options: { ...options } }
  const model = new Model(asGiven, extensions, assessor)
  return new SystemFold('stdin', asGiven, 1, 0, extensions, model)
}

function learn(fold: SystemFold | undefined, line: object, reviewers: Reviewers | undefined): object {
  const { correction = false, by = 'stdin', ...answer } = readAnswer(line)
  if (!fold) throw new InvalidRequest('an answer before the first sample')
  const told = { ...answer, level: levelIndex(answer.level, fold.configuration.levels), by }
  if (answer.kind === 'cannot-tell') {
    const { assessment, note } = answer
    fold.apply(
      { kind: 'abstention', body: { assessment, ...(note !== undefined && { note }), by } },
      systemClock.wall(),
    )
    return { assessment, learned: false }
  }
  const given = { ...told, kind: answer.kind }
  const body = reviewers ? reviewers.say(given, fold.recent.get(answer.assessment)?.level) : given
  fold.apply({ kind: correction ? 'correction' : 'feedback', body }, systemClock.wall())
  return { assessment: answer.assessment, learned: true }
}

function assess(fold: SystemFold, sample: SensorSample, reviewers: Reviewers | undefined): object {
  const { configuration, lastValues } = fold
  const mode = reviewers ? reviewers.next() : sample.mode
  const body = { ...completeValues(configuration, sample.values, lastValues), ...(mode && { mode }), by: 'stdin' }
  const place = { sequence: fold.sequence + 1, time: systemClock.wall() }
  const [derived] = fold.apply({ kind: 'sample', body }, place.time)
  const assessment = derived.body as AssessmentBody
  reviewers?.assessed(assessment.assessment, fold.recent.capacity)
  return assessmentOf(assessedSample(configuration.levels, place, body, assessment))
}

function channelsOf(values: SensorSample['values']): string[] {
  return Array.isArray(values) ? values.map((_, i) => `channel-${i + 1}`) : Object.keys(values)
}
