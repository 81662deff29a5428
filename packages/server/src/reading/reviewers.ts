import {
  type AbstentionBody,
  decodeBody,
  type Feedback,
  type ReviewerList,
  type ReviewerRecord,
  type SecondOpinionBody,
  type StretchBody,
} from '@pb-oel/protocol'
import { reliabilities } from '../fold/reliability.ts'
import { ReviewerBook } from '../fold/reviewer-book.ts'
import type { LogReader } from '../log/event-log.ts'
import type { Names } from './reading.ts'

/** Records read at once. */
const PAGE = 1_000
/** Answers of others that are remembered, so that a correction can be told from a second opinion of the same kind. */
const REMEMBERED = 100_000

/** What each reviewer has said, from the log. */
export async function reviewersOf(log: LogReader, { system, channels, levels }: Names): Promise<ReviewerList> {
  const tally = new ReviewerTally(levels.length)
  const kinds = ['feedback', 'correction', 'stretch', 'abstention', 'second-opinion'] as const
  for (let from = 1; ; ) {
    const records = await log.read(system, { from, kinds, limit: PAGE })
    for (const { kind, body, time } of records) {
      if (kind === 'abstention') tally.abstention(decodeBody(kind, body, channels).body, time)
      else if (kind === 'second-opinion') tally.secondOpinion(decodeBody(kind, body, channels).body, time)
      else if (kind === 'stretch') tally.stretch(decodeBody(kind, body, channels).body, time)
      else if (kind === 'feedback' || kind === 'correction') tally.answer(decodeBody(kind, body, channels).body, time)
    }
    if (records.length < PAGE) return { reviewers: tally.list() }
    from = records[records.length - 1].sequence + 1
  }
}

class ReviewerTally {
  private readonly reviewers = new Map<string, ReviewerRecord>()
  private readonly answers = new Map<number, Feedback>()
  private readonly book = new ReviewerBook()
  private readonly levels: number

  constructor(levels: number) {
    this.levels = levels
  }

  answer(feedback: Feedback, time: number): void {
    const reviewer = this.of(feedback.by, time)
    reviewer.answers++
    if (feedback.kind === 'confirm') reviewer.right++
    const before = this.answers.get(feedback.assessment)
    const differs = before && (before.kind !== feedback.kind || before.level !== feedback.level)
    if (differs && before.by !== feedback.by) this.of(before.by, 0).corrected++
    this.answers.set(feedback.assessment, feedback)
    if (this.answers.size > REMEMBERED) this.answers.delete(this.answers.keys().next().value as number)
  }

  stretch({ by, answered }: StretchBody, time: number): void {
    const reviewer = this.of(by, time)
    reviewer.stretches++
    reviewer.stretchAnswers += answered
  }

  abstention({ by }: AbstentionBody, time: number): void {
    this.of(by, time).cannotTell++
  }

  secondOpinion(opinion: SecondOpinionBody, time: number): void {
    this.book.count(opinion)
    for (const reviewer of [this.of(opinion.by, time), this.of(opinion.of, 0)]) {
      reviewer.compared++
      if (opinion.agrees) reviewer.agreed++
    }
  }

  list(): ReviewerRecord[] {
    const said = ({ answers, stretchAnswers, compared }: ReviewerRecord) => answers + stretchAnswers + compared
    const known = reliabilities(this.book.list(), this.levels)
    const all = [...this.reviewers.values()].map((reviewer) => {
      const reliability = known.get(reviewer.by)
      return { ...reviewer, ...(reliability && { reliability }) }
    })
    return all.sort((a, b) => said(b) - said(a) || (a.by < b.by ? -1 : 1))
  }

  private of(by: string, time: number): ReviewerRecord {
    let reviewer = this.reviewers.get(by)
    if (!reviewer) {
      reviewer = {
        ...{ by, answers: 0, right: 0, stretches: 0, stretchAnswers: 0, corrected: 0 },
        ...{ cannotTell: 0, compared: 0, agreed: 0, latest: 0 },
      }
      this.reviewers.set(by, reviewer)
    }
    reviewer.latest = Math.max(reviewer.latest, time)
    return reviewer
  }
}
