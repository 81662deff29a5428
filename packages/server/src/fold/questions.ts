import { ASKING_SCORES } from '@pb-oel/core'
import type { QueueWeights } from './configuration.ts'
import type { AssessmentBody, FeedbackBody } from './events.ts'

const MARGIN = ASKING_SCORES.margin()
const VOTES = ASKING_SCORES.disagreement()

/** A recent assessment: open until somebody answers, where people are asked about it. */
export interface Question extends AssessmentBody {
  /** Number of the sample's record in the log. */
  sequence: number
  /** When it was assessed. */
  time: number
  held?: number[]
  /** The answer that counts, and its number among the first answers. */
  answer?: Pick<FeedbackBody, 'answer' | 'level' | 'by'> & { number: number }
}

/** An open question with what its answer is worth. */
export interface RankedQuestion {
  question: Question
  /** 0 … 1: the weighted mean of the reasons. */
  worth: number
  /** Each reason by itself, 0 … 1. */
  reasons: QueueWeights
}

/** The latest assessments, a ring of fixed capacity like the assessor's own. */
export class Questions {
  readonly capacity: number
  private readonly ring: (Question | undefined)[]
  private next = 0
  /** Open ones among them. */
  open = 0

  constructor(capacity: number) {
    this.capacity = capacity
    this.ring = new Array(capacity)
  }

  add(question: Question): void {
    const slot = question.id % this.capacity
    const dropped = this.ring[slot]
    if (dropped && isOpen(dropped)) this.open--
    this.ring[slot] = question
    this.next = question.id + 1
    if (isOpen(question)) this.open++
  }

  /** The assessment, while it is kept. */
  get(id: number): Question | undefined {
    const question = this.ring[id % this.capacity]
    return question?.id === id ? question : undefined
  }

  get latest(): Question | undefined {
    return this.next === 0 ? undefined : this.get(this.next - 1)
  }

  /** The open one that is oldest. */
  get oldestOpen(): Question | undefined {
    return this.list().find(isOpen)
  }

  answer(question: Question, answer: NonNullable<Question['answer']>): void {
    if (isOpen(question)) this.open--
    question.answer = answer
  }

  /** Open questions, the one whose answer is worth most first. */
  ranked(weights: QueueWeights, levels: number): RankedQuestion[] {
    const total = weights.uncertainty + weights.disagreement + weights.level + weights.freshness || 1
    const list: RankedQuestion[] = []
    for (const question of this.ring) {
      if (!question || !isOpen(question)) continue
      const reasons = {
        uncertainty: MARGIN.score({ ...question, drifts: [] }),
        disagreement: disagreement(question.experts, levels),
        level: question.level / (levels - 1),
        freshness: 1 - (this.next - 1 - question.id) / this.capacity,
      }
      const sum =
        weights.uncertainty * reasons.uncertainty +
        weights.disagreement * reasons.disagreement +
        weights.level * reasons.level +
        weights.freshness * reasons.freshness
      list.push({ question, worth: sum / total, reasons })
    }
    return list.sort((a, b) => b.worth - a.worth || b.question.id - a.question.id)
  }

  /** All that are kept, oldest first: what a snapshot holds. */
  list(): Question[] {
    return this.ring.filter((question) => question !== undefined).sort((a, b) => a.id - b.id)
  }

  /** Takes back what {@link list} gave. */
  load(list: readonly Question[]): void {
    for (const question of list) this.add(question)
  }
}

/** Whether people are asked about an assessment and nobody has answered. */
function isOpen({ answer, asked }: Question): boolean {
  return !answer && asked !== false
}

/** 0 when all experts agree, 1 when they are spread evenly over the levels: the entropy of their votes, scaled. */
export function disagreement(experts: readonly number[], levels: number): number {
  const most = Math.log(Math.min(levels, experts.length))
  const probabilities = { length: levels }
  return most === 0 ? 0 : Math.min(1, VOTES.score({ experts, probabilities, confidence: 0, drifts: [] }) / most)
}
