import {
  Asker,
  type AskingOptions,
  type Assessment,
  createAssessor,
  FeedbackModel,
  type FeedbackModelOptions,
  isBounded,
  Promises,
  Random,
  type Stream,
} from '@pb-oel/core'
import { firstOfEachLevel } from '../job/warm-up.ts'

/** How reviewers answer and what they are asked, in one row of a trial. */
export interface PromiseSetting {
  readonly name: string
  /** How reviewers answer. */
  readonly answers?: Omit<FeedbackModelOptions, 'levels' | 'seed'>
  /** Which samples they are asked about; all of them when left out. */
  readonly ask?: AskingOptions
  /** Probability of a check for the certificate, where every answer is learned all the same. */
  readonly check?: number
  /** Share of wrong answers that the promises are told of. */
  readonly wrong?: number
}

const late = (samples: number): PromiseSetting => ({ name: `${samples} late`, answers: { delay: samples } })
const checked = (perThousand: number): PromiseSetting => ({
  name: `${perThousand / 10} % checked at random`,
  ask: { strategy: 'random', perThousand },
})

/** Delays, budgets and people that the promises must survive. */
export const PROMISE_SETTINGS: readonly PromiseSetting[] = [
  { name: 'at once' },
  ...[20, 200, 1000].map(late),
  { name: 'heavy-tailed, mean 100', answers: { delay: { law: 'heavy', mean: 100 } } },
  { name: 'wrong ones 300 late', answers: { lateWhenWrong: 300 } },
  { name: 'wrong ones never answered', answers: { skipWhenWrong: 1 } },
  { name: 'half of the questions skipped', answers: { missing: 0.5 } },
  { name: 'labels volunteered after half of the wrong ones', answers: { volunteer: 0.5 } },
  ...[10, 20, 50, 100].map(checked),
  ...[0.02, 0.05].map((check) => ({ name: `all answers learned, ${100 * check} % checked`, check })),
  { name: '5 % by margin', ask: { strategy: 'margin', perThousand: 50 } },
  { name: '5 % by margin, 200 late', ask: { strategy: 'margin', perThousand: 50 }, answers: { delay: 200 } },
  { name: 'a twentieth of the answers wrong, known', answers: { wrong: 0.05 }, wrong: 0.05 },
]

/** What became of the promises in one run. */
export interface PromiseRun {
  readonly accuracy: number
  /** True regret per sample against the best expert, and its bound at the end; undefined where it does not apply. */
  readonly regret: number | undefined
  readonly regretBound: number | undefined
  /** Certified accuracy at the end. */
  readonly certified: number
  /** Shares of samples whose level, and whose safe-side level, was safer than the truth. */
  readonly misses: number
  readonly safeSideMisses: number
  readonly calibrationError: number
  /** Whether the bound of the regret, and the certificate, were ever below the truth. */
  readonly regretViolated: boolean
  readonly certificateViolated: boolean
}

/** What a trial is made of beside the stream. */
export interface PromiseTrialOptions {
  readonly method: string
  readonly seed: number
  /** Share of samples whose safe-side level may be safer than the truth. Default 0.005. */
  readonly missTarget?: number
  /** How often the promises are compared with the truth, in samples. Default 250. */
  readonly every?: number
}

/** What is true so far, with every true level known. */
class Truth {
  samples = 0
  wrong = 0
  misses = 0
  safeSideMisses = 0
  private readonly lost: number[] = []

  count({ level, experts }: Assessment, safeSideLevel: number, truth: number): void {
    this.samples++
    if (level !== truth) this.wrong++
    if (level < truth) this.misses++
    if (safeSideLevel < truth) this.safeSideMisses++
    for (let n = 0; n < experts.length; n++) this.lost[n] = (this.lost[n] ?? 0) + (experts[n] === truth ? 0 : 1)
  }

  /** Regret per sample against the expert that was best. */
  get regret(): number {
    return (this.wrong - Math.min(...this.lost)) / this.samples
  }
}

/** The assessor, the reviewers and the promises of one run. */
function prepare(stream: Stream, setting: PromiseSetting, { method, seed, missTarget = 0.005 }: PromiseTrialOptions) {
  const levels = stream.levels.length
  const warmUp = firstOfEachLevel(stream)
  const floor = setting.check ?? 1
  const noise = setting.wrong !== undefined && method === 'pb-oel-plus' ? { noise: setting.wrong } : {}
  const task = { channels: stream.channels.length, levels, seed, warmUp, rho: 0 }
  const asker = setting.ask && new Asker({ seed, ...setting.ask })
  return {
    asker,
    assessor: createAssessor(method, task, { ...noise, pending: PENDING }),
    reviewers: new FeedbackModel({ ...setting.answers, levels, seed }),
    promises: new Promises({
      ...{ levels, warmUp, missTarget, pending: PENDING, wrong: setting.wrong },
      floor: asker?.leastProbability ?? floor,
    }),
  }
}

/** Follows a stream with every true level known and compares what is promised with what is true, time and again. */
export function tryPromises(stream: Stream, setting: PromiseSetting, options: PromiseTrialOptions): PromiseRun {
  const { assessor, asker, reviewers, promises } = prepare(stream, setting, options)
  const { every = 250 } = options
  const checks = new Random(options.seed, 'checks')
  const truth = new Truth()
  const bounded = isBounded(assessor) ? assessor : undefined
  const bound = () => bounded?.guarantee().regretWithConfidence?.value
  let regretViolated = false
  let certificateViolated = false
  for (const { x, level } of stream) {
    const assessment = assessor.assess(x, 'partial')
    const asked = asker ? asker.consider(assessment) : EVERYTHING
    const coin = asker
      ? { probability: asker.probability, asked: asked !== undefined }
      : { probability: setting.check ?? 1, asked: checks.uniform() < (setting.check ?? 1) }
    if (asker) bounded?.noteCoin(assessment.id, coin)
    truth.count(assessment, promises.open(assessment, coin).safeSideLevel, level)
    if (asked) reviewers.ask(assessment, level, asked.kind, asked.probability)
    for (const { id, feedback } of reviewers.arrived()) {
      assessor.learn(id, feedback)
      promises.settle(id, feedback)
      asker?.hear(feedback)
    }
    if (truth.samples % every !== 0) continue
    regretViolated ||= (bound() ?? Infinity) < truth.regret - 1e-12
    certificateViolated ||= promises.report().accuracy.wrongAtMost < truth.wrong
  }
  const { accuracy, calibrationError } = promises.report()
  const regretBound = bound()
  return {
    accuracy: 1 - truth.wrong / truth.samples,
    regret: regretBound === undefined ? undefined : truth.regret,
    regretBound,
    certified: accuracy.certified,
    misses: truth.misses / truth.samples,
    safeSideMisses: truth.safeSideMisses / truth.samples,
    calibrationError,
    regretViolated,
    certificateViolated,
  }
}

/** Answers may come this many samples late. */
const PENDING = 4096
const EVERYTHING = { kind: 'verdict', probability: 1 } as const

/** The runs of one setting, taken together. */
export interface PromiseRow extends Omit<PromiseRun, 'regretViolated' | 'certificateViolated'> {
  readonly setting: string
  readonly runs: number
  /** Share of the runs in which the bound of the regret, and the certificate, were ever below the truth. */
  readonly regretViolations: number
  readonly certificateViolations: number
}

/** Means over runs, and shares of runs in which a promise was broken. */
export function summarisePromises(setting: string, runs: readonly PromiseRun[]): PromiseRow {
  const mean = (pick: (run: PromiseRun) => number) => runs.reduce((sum, run) => sum + pick(run), 0) / runs.length
  const bounded = runs.every((run) => run.regretBound !== undefined)
  return {
    setting,
    runs: runs.length,
    accuracy: mean((run) => run.accuracy),
    regret: bounded ? mean((run) => run.regret as number) : undefined,
    regretBound: bounded ? mean((run) => run.regretBound as number) : undefined,
    certified: mean((run) => run.certified),
    misses: mean((run) => run.misses),
    safeSideMisses: mean((run) => run.safeSideMisses),
    calibrationError: mean((run) => run.calibrationError),
    regretViolations: mean((run) => Number(run.regretViolated)),
    certificateViolations: mean((run) => Number(run.certificateViolated)),
  }
}
