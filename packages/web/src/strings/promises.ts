import { count, plural } from './format.ts'

/** What certificates of accuracy and of misses stand on. */
const CERTIFICATE_CONDITIONS: readonly string[] = [
  'It holds at every moment, however often you look.',
  'People tell the truth when they answer. They may answer late, in any order or never.',
  'A check counts as wrong until an answer says that it was right.',
  'Where not every sample is checked, the system tosses its own coin after each assessment.',
]

/** What is promised, in English. */
export const promisesText = {
  title: 'Promises',
  untrained: 'No promise while the system is untrained.',
  none: 'No promise yet. With the answers so far none says more than guessing would.',
  parts: (all: string, latest?: string, sinceRefit?: string) => {
    const parts = [latest && `latest: ${latest}`, sinceRefit && `since refit: ${sinceRefit}`].filter(Boolean)
    return parts.length > 0 ? `${all} (${parts.join('; ')})` : all
  },
  samples: (samples: number) => plural(samples, 'sample', 'samples'),
  termsTitle: 'What it is made of',
  conditionsTitle: 'What it stands on',
  accuracy: (share: string, confidence: string, checks: number) =>
    `At least ${share} of all assessments were right, with ${confidence} confidence, ` +
    `from ${plural(checks, 'check', 'checks')}.`,
  latest: (samples: number, time?: string) => `the latest ${count(samples)}${time ? ` (about ${time})` : ''}`,
  accuracyLatest: (share: string, latest: string) => `Of ${latest}: at least ${share}.`,
  misses: (share: string, confidence: string, checks: number) =>
    `At most ${share} of all samples were assessed safer than they are, with ${confidence} confidence, ` +
    `from ${plural(checks, 'check', 'checks')}.`,
  missesLatest: (share: string, latest: string) => `Of ${latest}: at most ${share}.`,
  missesCondition: 'A wrong assessment counts as a miss unless an answer says that the truth was safer.',
  certificateConditions: CERTIFICATE_CONDITIONS,
  safeSide: (share: string) =>
    `At most ${share} of samples are less safe than the safe-side level says, in the long run.`,
  safeSideConditions: [
    'The page shows the safe-side level beside the level where it is higher.',
    'The rule follows the answers: each miss makes it more careful. It says nothing about a single moment.',
    'It speaks of answered samples; where the system chooses its questions, of all samples on average.',
  ] as readonly string[],
  regret: (share: string, confidence: string) =>
    `No expert was better by more than ${share} of samples, with ${confidence} confidence, whatever the delays.`,
  better: (share: string, confidence: string) =>
    `The system beat every expert by at least ${share} of samples, with ${confidence} confidence, ` +
    'whatever the delays.',
  regretLatest: (share: string, latest: string) => `Over ${latest}: by at most ${share}.`,
  regretSinceRefit: (share: string, samples: number, time?: string) =>
    `Since a network was last refitted, ${plural(samples, 'sample', 'samples')} ago${time ? ` (about ${time})` : ''}: ` +
    `by at most ${share}.`,
  regretConditions: [
    'It holds at all times at once, for the expert that is best in hindsight.',
    'People tell the truth when they answer. Late, missing and volunteered answers are allowed for.',
    'An open question counts against the system wherever an expert said something else.',
  ] as readonly string[],
  calibration: (points: string) =>
    `The confidence shown was off by ${points} percentage points on average from the share that was right.`,
  calibrationConditions: [
    'With no error, 9 of 10 assessments shown with 90 % are right.',
    'Measured from answers, not proved. Each answer counts for as many samples as it stands for.',
  ] as readonly string[],
  fall: (share: string) => `An alarm is raised when fewer than ${share} of assessments are right.`,
  fallConditions: [
    'A sequential test watches the checks. It waits for answers in the order of the samples.',
    'Samples are judged in blocks, so that a short burst of mistakes is no fall.',
    'The rate of false alarms is bounded while no block is expected to hold more mistakes than allowed.',
  ] as readonly string[],
  bound: (share: string) => `The expected accuracy is at least ${share}, by the theorem of the method.`,
  boundConditions: [
    'It is about the mean over all random draws of the method, not about what happened.',
  ] as readonly string[],
  boundNot: (reason?: string) =>
    `The theorem of the method does not apply${reason ? `: ${reason}` : ''}. The promises above do not need it.`,
  boundNotAlone: (reason?: string) => `The theorem of the method does not apply${reason ? `: ${reason}` : ''}.`,
  boundLater: 'The theorem of the method applies, but does not say more than guessing yet.',
  terms: {
    samples: 'samples',
    checks: 'checks',
    wrong: 'wrong or not answered yet',
    wrongAtMost: 'wrong at most',
    estimate: 'estimated share that is right',
    against: 'said wrong where an expert differed',
    inFavour: 'said right where an expert differed',
    open: 'open where an expert differed',
    chance: 'what unchecked samples may hide',
    calibrationError: 'mean error of the confidence',
    rawCalibrationError: 'the same before recalibration',
    falls: 'falls found so far',
    falseAlarmEvery: 'false alarms at most once in',
    rounds: 'answered samples',
    regret: 'regret so far',
    penalty: 'what the theorem subtracts',
  },
  curve: 'Confidence and share that was right',
  curveAxes: { confidence: 'confidence shown', accuracy: 'were right' },
  curveColumns: { confidence: 'Shown', accuracy: 'Were right', samples: 'Samples' },
}
