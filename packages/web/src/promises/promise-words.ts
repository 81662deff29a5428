import type { Certificate, Configuration, Guarantee, PromisesReport } from '@pb-oel/protocol'
import { text } from '../strings/en.ts'
import { atLeast, atMost, count, duration, percent } from '../strings/format.ts'
import { guessedAccuracy, guessedMisses } from './guessing.ts'

const words = text.promises

/** One promise for people. */
export interface PromiseWords {
  readonly key: 'accuracy' | 'misses' | 'safe-side' | 'regret' | 'calibration' | 'fall' | 'bound'
  /** What is promised, in one sentence. */
  readonly sentence: string
  /** The same for the latest samples alone. */
  readonly latest?: string
  /** What the numbers are made of, by name. */
  readonly terms: readonly (readonly [name: string, value: string])[]
  /** Under which conditions it holds, and how it is meant. */
  readonly conditions: readonly string[]
}

type Regret = NonNullable<Guarantee['regretWithConfidence']>
/** A bound of the regret, of all samples or of the latest. */
type RegretBound = Regret['window']

/** Answers from which on the error of the confidence is told. */
const FEW = 20

/** Every promise that says more than guessing, the accuracy first; none while the system is untrained. */
export function promiseWords(guarantee: Guarantee, { levels, promises: rule }: Configuration): PromiseWords[] {
  const { promises, regretWithConfidence: regret, bestExpertAccuracy: best } = guarantee
  const time = timeOf(guarantee.secondsPerSample)
  if (promises?.trained === false) return []
  const said = [
    promises && accuracyWords(promises, levels.length, time),
    promises && missWords(promises, levels.length, time),
    promises && safeSideWords(promises, levels.length),
    regret && regretWords(regret, { levels: levels.length, best, time }),
    promises && calibrationWords(promises),
    promises && fallWords(promises, levels.length, rule?.falseAlarmEvery),
    boundWords(guarantee, levels.length),
  ]
  return said.filter((one) => !!one)
}

/** How long so many samples take at the present rate; undefined where there is none yet. */
type TimeOf = (samples: number) => string | undefined

const timeOf =
  (secondsPerSample?: number): TimeOf =>
  (samples) =>
    secondsPerSample === undefined ? undefined : duration(samples * secondsPerSample)

/** The latest samples, with the time they took. */
const latestWords = (samples: number, time: TimeOf) => words.latest(samples, time(samples))

function accuracyWords(report: PromisesReport, levels: number, time: TimeOf): PromiseWords | undefined {
  const { accuracy, windowAccuracy } = report
  if (accuracy.certified <= guessedAccuracy(levels)) return undefined
  const { certified, confidence, checks } = accuracy
  const latest = windowAccuracy.certified > guessedAccuracy(levels)
  return {
    key: 'accuracy',
    sentence: words.accuracy(atLeast(certified), percent(confidence, 0), checks),
    latest: latest
      ? words.accuracyLatest(atLeast(windowAccuracy.certified), latestWords(windowAccuracy.samples, time))
      : undefined,
    terms: certificateTerms(accuracy, latest ? windowAccuracy : undefined),
    conditions: words.certificateConditions,
  }
}

function missWords(report: PromisesReport, levels: number, time: TimeOf): PromiseWords | undefined {
  const { misses, windowMisses } = report
  const share = ({ certified }: Certificate) => 1 - certified
  if (share(misses) >= guessedMisses(levels)) return undefined
  const latest = share(windowMisses) < guessedMisses(levels)
  return {
    key: 'misses',
    sentence: words.misses(atMost(share(misses)), percent(misses.confidence, 0), misses.checks),
    latest: latest
      ? words.missesLatest(atMost(share(windowMisses)), latestWords(windowMisses.samples, time))
      : undefined,
    terms: certificateTerms(misses, latest ? windowMisses : undefined),
    conditions: [words.missesCondition, ...words.certificateConditions],
  }
}

function certificateTerms(all: Certificate, latest?: Certificate): PromiseWords['terms'] {
  const both = (name: string, value: (one: Certificate) => string) =>
    [name, words.parts(value(all), latest && value(latest))] as const
  return [
    both(words.terms.samples, ({ samples }) => count(samples)),
    both(words.terms.checks, ({ checks }) => count(checks)),
    both(words.terms.wrong, ({ wrong }) => count(wrong)),
    both(words.terms.wrongAtMost, ({ wrongAtMost }) => count(wrongAtMost)),
    both(words.terms.estimate, ({ estimate }) => percent(estimate, 2)),
  ]
}

function safeSideWords({ missTarget }: PromisesReport, levels: number): PromiseWords | undefined {
  if (missTarget >= guessedMisses(levels)) return undefined
  return {
    key: 'safe-side',
    sentence: words.safeSide(atMost(missTarget)),
    terms: [],
    conditions: words.safeSideConditions,
  }
}

/** What a bound of the regret is compared with, and how samples become time. */
interface RegretSetting {
  readonly levels: number
  /** Accuracy of the best expert. */
  readonly best?: number
  readonly time: TimeOf
}

function regretWords(all: Regret, { levels, best, time }: RegretSetting): PromiseWords | undefined {
  const useful = ({ value, samples }: RegretBound) => samples > 0 && (best ?? 1) - value > guessedAccuracy(levels)
  if (!useful(all)) return undefined
  const { value, confidence, window: latest, sinceRefit } = all
  const spoken = useful(latest)
  const refitted = sinceRefit && useful(sinceRefit) ? sinceRefit : undefined
  const parts = (pick: (bound: RegretBound) => string) =>
    words.parts(pick(all), spoken ? pick(latest) : undefined, refitted && pick(refitted))
  const term = (name: keyof RegretBound['terms']) =>
    [words.terms[name], parts(({ terms }) => signed(terms[name]))] as const
  return {
    key: 'regret',
    sentence:
      value < 0
        ? words.better(atLeast(-value), percent(confidence, 0))
        : words.regret(atMost(value), percent(confidence, 0)),
    latest:
      [
        ...(spoken ? [words.regretLatest(signed(latest.value), latestWords(latest.samples, time))] : []),
        ...(refitted ? [words.regretSinceRefit(signed(refitted.value), refitted.samples, time(refitted.samples))] : []),
      ].join(' ') || undefined,
    terms: [
      [words.terms.samples, parts(({ samples }) => count(samples))],
      term('against'),
      term('inFavour'),
      term('open'),
      term('chance'),
    ],
    conditions: words.regretConditions,
  }
}

/** A share with its sign, in hundredths of a percent; bounds are rounded up. */
function signed(value: number): string {
  const up = Math.ceil(1e4 * value - 1e-9) / 100
  return `${up < 0 ? '−' : ''}${Math.abs(up).toFixed(2)} %`
}

function calibrationWords(report: PromisesReport): PromiseWords | undefined {
  const { reliability, calibrationError, rawCalibrationError } = report
  const answers = reliability.reduce((sum, { weight }) => sum + weight, 0)
  if (answers < FEW) return undefined
  return {
    key: 'calibration',
    sentence: words.calibration((100 * calibrationError).toFixed(1)),
    terms: [
      [words.terms.calibrationError, percent(calibrationError, 2)],
      [words.terms.rawCalibrationError, percent(rawCalibrationError, 2)],
    ],
    conditions: words.calibrationConditions,
  }
}

function fallWords(report: PromisesReport, levels: number, falseAlarmEvery = 0): PromiseWords | undefined {
  const { keptAccuracy, falls } = report
  if (keptAccuracy === null || keptAccuracy <= guessedAccuracy(levels)) return undefined
  return {
    key: 'fall',
    sentence: words.fall(atLeast(keptAccuracy)),
    terms: [
      [words.terms.falls, count(falls)],
      [words.terms.falseAlarmEvery, words.samples(falseAlarmEvery)],
    ],
    conditions: words.fallConditions,
  }
}

/** The bound of the paper, where it applies. */
function boundWords(guarantee: Guarantee, levels: number): PromiseWords | undefined {
  const { applies, value = 0, rounds = 0, regret, penalty } = guarantee
  if (!applies || value <= guessedAccuracy(levels)) return undefined
  return {
    key: 'bound',
    sentence: words.bound(atLeast(value)),
    terms: [
      [words.terms.rounds, count(rounds)],
      ...(regret === undefined ? [] : [[words.terms.regret, percent(regret, 2)] as const]),
      ...(penalty === undefined ? [] : [[words.terms.penalty, percent(penalty, 2)] as const]),
    ],
    conditions: words.boundConditions,
  }
}
