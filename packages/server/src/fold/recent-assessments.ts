import { ASKING_SCORES } from '@pb-oel/core'
import type { Answer, AssessmentBody, QueueWeights, Reasons } from '@pb-oel/protocol'

const MARGIN = ASKING_SCORES.margin()
const VOTES = ASKING_SCORES.disagreement()

/** A recent assessment: a question until somebody answers, where people are asked about it. */
export interface RecentAssessment extends AssessmentBody {
  /** Number of the sample's record in the log. */
  sequence: number
  /** When it was assessed. */
  time: number
  /** Names of the held channels. */
  degraded?: string[]
  /** The answer that counts, and its number among the first answers. */
  answer?: Answer & {
    number: number
    /** Number of the record of the stretch that gave it. */
    stretch?: number
  }
  /** An earlier answer was taken back. */
  withdrawn?: true
  /** The model was not told its answer, because the log is run again without it. */
  untold?: true
  /** The model has forgotten its sample. */
  excluded?: true
  /** A second opinion on its answer is wanted, or was given by this person. */
  second?: 'wanted' | { by: string }
  /** Who could not tell. */
  abstained?: string[]
  /** Who shall answer it; absent: anybody. */
  assignedTo?: string
  /** The level that the model has drawn for it since, having forgotten other samples; absent: the one shown. */
  redrawn?: number
}

/** A question with what its answer is worth. */
export interface RankedQuestion {
  recent: RecentAssessment
  /** 0 … 1: the weighted mean of the reasons. */
  worth: number
  reasons: Reasons
}

/** The latest assessments, a ring of fixed capacity like the assessor's own. */
export class RecentAssessments {
  readonly capacity: number
  private readonly ring: (RecentAssessment | undefined)[]
  private next = 0
  /** Open questions among them. */
  open = 0

  constructor(capacity: number) {
    this.capacity = capacity
    this.ring = new Array(capacity)
  }

  add(recent: RecentAssessment): void {
    const slot = recent.assessment % this.capacity
    const dropped = this.ring[slot]
    if (dropped && isOpen(dropped)) this.open--
    this.ring[slot] = recent
    this.next = recent.assessment + 1
    if (isOpen(recent)) this.open++
  }

  /** The assessment, while it is kept. */
  get(assessment: number): RecentAssessment | undefined {
    const recent = this.ring[assessment % this.capacity]
    return recent?.assessment === assessment ? recent : undefined
  }

  get latest(): RecentAssessment | undefined {
    return this.get(this.next - 1)
  }

  /** Those from one number to another that are kept, in order. */
  between(from: number, to: number): RecentAssessment[] {
    const found: RecentAssessment[] = []
    const last = Math.min(to, this.next - 1)
    for (let at = Math.max(from, this.next - this.capacity, 0); at <= last; at++) {
      const recent = this.get(at)
      if (recent) found.push(recent)
    }
    return found
  }

  /** Takes an answer back: it is a question again, where people were asked. */
  withdraw(recent: RecentAssessment): void {
    delete recent.answer
    recent.withdrawn = true
    if (isOpen(recent)) this.open++
  }

  /** Mean time between the samples that are kept; undefined while there are fewer than two moments. */
  get secondsPerSample(): number | undefined {
    const kept = this.list()
    const span = kept.length > 0 ? kept[kept.length - 1].time - kept[0].time : 0
    return span > 0 ? span / 1000 / (kept.length - 1) : undefined
  }

  /** The oldest question, also one that wants a second opinion. */
  get oldestOpen(): RecentAssessment | undefined {
    return this.list().find(isAsked)
  }

  answer(recent: RecentAssessment, answer: NonNullable<RecentAssessment['answer']>): void {
    if (isOpen(recent)) this.open--
    recent.answer = answer
  }

  /** Nobody is asked about these assessments any more. */
  exclude(from: number, to: number): void {
    for (const recent of this.ring) {
      if (!recent || recent.assessment < from || recent.assessment > to) continue
      if (isOpen(recent)) this.open--
      recent.excluded = true
      delete recent.redrawn
    }
  }

  /** Questions: open ones and those that want a second opinion, the one whose answer is worth most first. */
  ranked(weights: QueueWeights, levels: number): RankedQuestion[] {
    const total = weights.uncertainty + weights.disagreement + weights.level + weights.freshness || 1
    const list: RankedQuestion[] = []
    for (const recent of this.ring) {
      if (!recent || !isAsked(recent)) continue
      const reasons = {
        uncertainty: MARGIN.score({ ...recent, drifts: [] }),
        disagreement: disagreement(recent.experts, levels),
        level: recent.level / (levels - 1),
        freshness: 1 - (this.next - 1 - recent.assessment) / this.capacity,
      }
      const sum =
        weights.uncertainty * reasons.uncertainty +
        weights.disagreement * reasons.disagreement +
        weights.level * reasons.level +
        weights.freshness * reasons.freshness
      list.push({ recent, worth: recent.novelty?.novel ? 1 : sum / total, reasons })
    }
    return list.sort((a, b) => b.worth - a.worth || b.recent.assessment - a.recent.assessment)
  }

  /** All that are kept, oldest first: what a snapshot holds. */
  list(): RecentAssessment[] {
    return this.ring.filter((recent) => recent !== undefined).sort((a, b) => a.assessment - b.assessment)
  }

  /** Takes back what {@link list} gave. */
  load(list: readonly RecentAssessment[]): void {
    for (const recent of list) this.add(recent)
  }
}

/** The assessment as the log holds it, its fields in the order of the log. */
export function bodyOf(recent: RecentAssessment): AssessmentBody {
  const { assessment, level, probabilities, confidence, rawConfidence, safeSide, trained } = recent
  const { novelty, experts, drifts, asked } = recent
  return {
    ...{ assessment, level, probabilities, confidence },
    ...(rawConfidence !== undefined && { rawConfidence, safeSide, trained }),
    ...(novelty && { novelty }),
    experts,
    ...(drifts && { drifts }),
    ...(asked !== undefined && { asked }),
  }
}

/** Whether people are asked about an assessment and nobody has answered. */
function isOpen({ answer, asked, excluded }: RecentAssessment): boolean {
  return !answer && asked !== false && !excluded
}

/** Whether people are asked about an assessment, for a first or for a second time. */
function isAsked(recent: RecentAssessment): boolean {
  return isOpen(recent) || (recent.second === 'wanted' && !recent.excluded)
}

/** 0 when all experts agree, 1 when they are spread evenly over the levels: the entropy of their votes, scaled. */
export function disagreement(experts: readonly number[], levels: number): number {
  const most = Math.log(Math.min(levels, experts.length))
  const probabilities = { length: levels }
  return most === 0 ? 0 : Math.min(1, VOTES.score({ experts, probabilities, confidence: 0, drifts: [] }) / most)
}
