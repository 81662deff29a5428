import { type AskingOptions, type FeedbackModelOptions, OptionError } from '@pb-oel/core'

/** How reviewers answer and what they are asked, in one row of a study. It is plain JSON. */
export interface PromiseSetting {
  /** Short name for the command line. */
  readonly id: string
  readonly name: string
  /** How reviewers answer. */
  readonly answers?: Omit<FeedbackModelOptions, 'levels' | 'seed'>
  /** Which samples they are asked about; all of them when left out. */
  readonly ask?: AskingOptions
  /** Probability of a check for the certificate, where every answer is learned all the same. */
  readonly check?: number
  /** Nobody is asked: reviewers answer what they like. */
  readonly unasked?: boolean
  /** Share of wrong answers that the promises are told of: exactly, or at most. */
  readonly wrong?: number
  readonly wrongAtMost?: number
}

const late = (samples: number): PromiseSetting => ({
  id: `late-${samples}`,
  name: `${samples.toLocaleString('en-US')} late`,
  answers: { delay: samples },
})
const checked = (percent: number): PromiseSetting => ({
  id: `checked-${percent}`,
  name: `${percent} % checked at random`,
  ask: { strategy: 'random', perThousand: 10 * percent },
})
const learned = (percent: number): PromiseSetting => ({
  id: `learned-${percent}`,
  name: `all answers learned, ${percent} % checked`,
  check: percent / 100,
})
const margin: PromiseSetting = {
  id: 'margin-5',
  name: '5 % by margin',
  ask: { strategy: 'margin', perThousand: 50 },
}
const mistaken: PromiseSetting['answers'] = { wrong: 0.05 }

/** Delays, budgets and people that the promises must survive, or must say that they do not apply. */
export const PROMISE_SETTINGS: readonly PromiseSetting[] = [
  { id: 'at-once', name: 'at once' },
  ...[20, 200, 1000].map(late),
  { id: 'heavy', name: 'heavy-tailed, mean 100', answers: { delay: { law: 'heavy', mean: 100 } } },
  { id: 'late-wrong', name: 'wrong ones 300 late', answers: { lateWhenWrong: 300 } },
  { id: 'late-right', name: 'right ones 300 late', answers: { lateWhenRight: 300 } },
  { id: 'never-wrong', name: 'wrong ones never answered', answers: { skipWhenWrong: 1 } },
  { id: 'skipped', name: 'half of the questions skipped', answers: { missing: 0.5 } },
  { id: 'volunteered', name: 'labels volunteered after half of the wrong ones', answers: { volunteer: 0.5 } },
  ...[1, 2, 5, 10].map(checked),
  ...[2, 5].map(learned),
  margin,
  { ...margin, id: 'margin-5-late-200', name: '5 % by margin, 200 late', answers: { delay: 200 } },
  { id: 'wrong-known', name: 'a twentieth of the answers wrong, known', answers: mistaken, wrong: 0.05 },
  { id: 'wrong-at-most', name: 'a twentieth wrong, at most a tenth told', answers: mistaken, wrongAtMost: 0.1 },
  { id: 'wrong-untold', name: 'a twentieth wrong, nobody said so', answers: mistaken },
  { id: 'unasked', name: 'nobody asked, only right ones answered', answers: { skipWhenWrong: 1 }, unasked: true },
]

/** The settings that a report of many things shows. */
export const REPORT_SETTINGS: readonly PromiseSetting[] = settingsNamed([
  ...['at-once', 'late-200', 'heavy', 'late-wrong', 'skipped'],
  ...['checked-2', 'checked-5', 'learned-5', 'margin-5', 'wrong-known'],
])

/** The settings with these short names, in the order of the list; an {@link OptionError} when there is none. */
export function settingsNamed(ids: readonly string[]): PromiseSetting[] {
  const known = PROMISE_SETTINGS.map(({ id }) => id)
  const unknown = ids.find((id) => !known.includes(id))
  if (unknown !== undefined) throw new OptionError('settings', unknown, `one of ${known.join(', ')}`)
  return PROMISE_SETTINGS.filter(({ id }) => ids.includes(id))
}

/**
 * Why a promise does not apply in a setting; undefined where it does. C can make up for a share of wrong answers that
 * it is told of; B cannot.
 */
export function brokenBySetting(setting: PromiseSetting): { regret?: string; certificate?: string } {
  const { answers, wrong, wrongAtMost, unasked } = setting
  const untrue = (answers?.wrong ?? 0) > 0
  const told = wrong !== undefined || wrongAtMost !== undefined
  return {
    ...(untrue && { regret: 'answers are wrong' }),
    ...(untrue && !told && { certificate: 'answers are wrong and nobody says how many' }),
    ...(unasked && { certificate: 'nobody was asked' }),
  }
}
