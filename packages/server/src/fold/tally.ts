import type { Answer, AnswerKind } from '@pb-oel/protocol'

/** How many of the latest answers {@link Tally.recentAccuracy} covers. */
const WINDOW = 500

/** What an answer says of an assessment: `wrong` where it does not say in which direction. */
export type Outcome = 'right' | 'miss' | 'false alarm' | 'wrong'

/** The outcome of an assessment of `assessed` among `levels` levels. */
export function outcomeOf(assessed: number, levels: number, given: Pick<Answer, 'kind' | 'level'>): Outcome {
  const { kind, level = assessed } = given
  if (kind === 'label') return level === assessed ? 'right' : level > assessed ? 'miss' : 'false alarm'
  if (kind === 'confirm') return 'right'
  // Of the safest level only a less safe one is left, of the least safe only a safer one.
  return assessed === 0 ? 'miss' : assessed === levels - 1 ? 'false alarm' : 'wrong'
}

/** The true level, as far as an answer tells it: a rejected level leaves one other only where there are two. */
export function levelTold(assessed: number, levels: number, given: Pick<Answer, 'kind' | 'level'>): number | undefined {
  if (given.kind === 'label') return given.level
  if (given.kind === 'confirm') return assessed
  return levels === 2 ? 1 - assessed : undefined
}

/** The counts of what happened to a system. */
export class Tally {
  samples = 0
  /** Samples with held channels. */
  degraded = 0
  drifts = 0
  confirms = 0
  rejects = 0
  labels = 0
  corrections = 0
  /** Answered assessments that were right, and that were wrong. */
  right = 0
  wrong = 0
  /** Assessments known to have been too safe, and not safe enough; a rejected middle level is neither. */
  misses = 0
  falseAlarms = 0
  /** Times that a reviewer could not tell, and second opinions; absent: none. */
  abstentions: number | undefined
  secondOpinions: number | undefined
  /** First answers so far. */
  answers = 0
  /** The latest of them, 1 for right; answer n is at n mod {@link WINDOW}. */
  recent: number[] = []
  /** How many samples each of them stands for, where questions are chosen; the same places. */
  weights: number[] | undefined

  sample(drifts: number, degraded: boolean): void {
    this.samples++
    this.drifts += drifts
    if (degraded) this.degraded++
  }

  /**
   * Counts a first answer and returns its number.
   *
   * @param weight how many samples it stands for: 1/π, and 0 where nobody asked
   */
  answer(kind: AnswerKind, outcome: Outcome, weight = 1): number {
    if (kind === 'confirm') this.confirms++
    else if (kind === 'reject') this.rejects++
    else this.labels++
    this.count(outcome, 1)
    if (weight !== 1) this.weights ??= this.recent.map(() => 1)
    if (this.weights) this.weights[this.answers % WINDOW] = weight
    this.recent[this.answers % WINDOW] = outcome === 'right' ? 1 : 0
    return this.answers++
  }

  /** Takes back answer `number`, which was of this kind and said `before`. */
  withdraw(number: number, kind: AnswerKind, before: Outcome): void {
    if (kind === 'confirm') this.confirms--
    else if (kind === 'reject') this.rejects--
    else this.labels--
    this.count(before, -1)
    if (this.answers - number > WINDOW) return
    this.weights ??= this.recent.map(() => 1)
    this.weights[number % WINDOW] = 0
  }

  /** Replaces answer `number`, which said `before`. */
  correct(number: number, before: Outcome, outcome: Outcome): void {
    this.corrections++
    this.count(before, -1)
    this.count(outcome, 1)
    if (this.answers - number <= WINDOW) this.recent[number % WINDOW] = outcome === 'right' ? 1 : 0
  }

  private count(outcome: Outcome, by: number): void {
    if (outcome === 'right') this.right += by
    else this.wrong += by
    if (outcome === 'miss') this.misses += by
    if (outcome === 'false alarm') this.falseAlarms += by
  }

  /** Share of answered assessments that were right; `null` before any answer. */
  get accuracy(): number | null {
    const answered = this.right + this.wrong
    return answered === 0 ? null : this.right / answered
  }

  /** The same over the latest answers, each counted as many times as the samples it stands for. */
  get recentAccuracy(): number | null {
    const { recent, weights } = this
    const total = weights ? weights.reduce((sum, weight) => sum + weight, 0) : recent.length
    return total === 0 ? null : recent.reduce((sum, right, i) => sum + right * (weights?.[i] ?? 1), 0) / total
  }
}
