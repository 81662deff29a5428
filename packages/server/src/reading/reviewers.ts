import { decodeBody, type Feedback, type ReviewerList, type ReviewerRecord, type StretchBody } from '@pb-oel/protocol'
import type { LogReader } from '../log/event-log.ts'
import type { Names } from './reading.ts'

/** Records read at once. */
const PAGE = 1_000
/** Answers of others that are remembered, so that a correction can be told from a second opinion of the same kind. */
const REMEMBERED = 100_000

/** What each reviewer has said, from the log. */
export async function reviewersOf(log: LogReader, { system, channels }: Names): Promise<ReviewerList> {
  const tally = new ReviewerTally()
  const kinds = ['feedback', 'correction', 'stretch'] as const
  for (let from = 1; ; ) {
    const records = await log.read(system, { from, kinds, limit: PAGE })
    for (const { kind, body, time } of records) {
      if (kind === 'stretch') tally.stretch(decodeBody(kind, body, channels).body, time)
      else if (kind === 'feedback' || kind === 'correction') tally.answer(decodeBody(kind, body, channels).body, time)
    }
    if (records.length < PAGE) return { reviewers: tally.list() }
    from = records[records.length - 1].sequence + 1
  }
}

class ReviewerTally {
  private readonly reviewers = new Map<string, ReviewerRecord>()
  private readonly answers = new Map<number, Feedback>()

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

  list(): ReviewerRecord[] {
    const said = ({ answers, stretchAnswers }: ReviewerRecord) => answers + stretchAnswers
    return [...this.reviewers.values()].sort((a, b) => said(b) - said(a) || (a.by < b.by ? -1 : 1))
  }

  private of(by: string, time: number): ReviewerRecord {
    let reviewer = this.reviewers.get(by)
    if (!reviewer) {
      reviewer = { by, answers: 0, right: 0, stretches: 0, stretchAnswers: 0, corrected: 0, latest: 0 }
      this.reviewers.set(by, reviewer)
    }
    reviewer.latest = Math.max(reviewer.latest, time)
    return reviewer
  }
}
