import { count, plural } from './format.ts'

/** The live view, in English. */
export const liveText = {
  level: 'Level now',
  stale: (age: string) => `No sample for ${age}`,
  held: 'held',
  rateTitle: 'Arriving',
  rate: (perSecond: number | null) =>
    perSecond === null
      ? '…'
      : perSecond < 1
        ? '< 1 sample/s'
        : `${plural(Math.round(perSecond), 'sample', 'samples')}/s`,
  samples: (samples: number) => plural(samples, 'sample', 'samples'),
  degraded: 'Held at their last value, out of range or stuck',
  notReady: 'The server takes no samples for this system right now.',
  waiting: 'Waiting for the first sample',
  experts: 'What the experts say now',
  timeline: 'Timeline',
  channels: 'Channels',
  channelsShown: (shown: number, all: number) => `${shown} of ${all} shown`,
  choose: 'Choose channels',
  all: 'All',
  none: 'None',
  performance: 'Performance',
  accuracy: (estimated: boolean) => (estimated ? 'Accuracy, estimated' : 'Accuracy'),
  recentAccuracy: (estimated: boolean) => `Accuracy of the latest 500 answers${estimated ? ', estimated' : ''}`,
  overall: (accuracy: string) => `${accuracy} overall`,
  between: (low: string, high: string, confidence: string) =>
    `between ${low} and ${high} with ${confidence} confidence`,
  answers: (right: number, wrong: number) => `${count(right)} answered right, ${count(wrong)} wrong`,
  answersSoFar: 'Answers so far',
  untoldShare: (estimated: boolean) => `wrong, direction not told${estimated ? ', estimated' : ''}`,
  missShare: (estimated: boolean) => (estimated ? 'misses, estimated' : 'misses'),
  falseAlarmShare: (estimated: boolean) => (estimated ? 'false alarms, estimated' : 'false alarms'),
  atMost: (share: string) => `at most ${share}`,
  said: (answers: number) => plural(answers, 'answer', 'answers'),
  byLevel: (estimated: boolean) => `By assessed level${estimated ? ', estimated' : ''}`,
  assessedAs: 'assessed as',
  lowest: (share: string, time: string) => `Lowest: ${share} at ${time}`,
  weights: 'Weight of each expert',
  weightsMissing: 'This method has no weights.',
  expert: (number: number) => `Expert ${number + 1}`,
  lines: {
    accuracy: 'All answers',
    certified: 'Certified',
    recent: 'Latest 500 answers',
    best: 'Best expert',
    ultimate: 'Ultimate bound',
    value: 'Guaranteed',
  },
  counts: {
    right: 'right',
    wrong: 'wrong',
    misses: 'misses',
    missesHint: 'assessed safer than it was',
    falseAlarms: 'false alarms',
    falseAlarmsHint: 'assessed less safe than it was',
    untoldHint: 'misses or false alarms; what is certified counts them as misses',
    drifts: 'networks refitted',
    restarts: 'weight restarts',
    open: 'open questions',
    samples: 'samples',
  },
  review: 'Review',
  noAnswers: 'No answers yet. The first answer makes the accuracy known.',
}
