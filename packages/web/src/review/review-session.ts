import type {
  AnswerEffect,
  AnswerEvent,
  AssessedSamples,
  GivenAnswer,
  Question,
  Queue,
  SystemDetail,
} from '@pb-oel/protocol'
import { batch, signal } from '@preact/signals'
import { type ApiError, get, request, systemPath } from '../api/client.ts'
import { type Delivery, outbox } from '../api/outbox.ts'
import type { SampleRing } from '../feed/sample-ring.ts'
import type { SystemFeed } from '../feed/system-feed.ts'
import { ringOf } from '../feed/time-window.ts'
import { author, personName } from '../session/session.ts'
import { text } from '../strings/en.ts'
import { areAlike } from './alike.ts'

/** What a reviewer says: right, wrong, a level, or that they cannot tell. */
export type Answer = Pick<GivenAnswer, 'kind' | 'note'> & { level?: number }

/** An answer given in this session. */
export interface Given {
  question: Question
  answer: Answer
  key: string
  status: 'waiting' | 'learned' | 'refused'
  /** The answer that this one replaces. */
  replaced?: Answer
  /** True for a second opinion: the first answer goes on counting. */
  second?: boolean
  /** Absent when an earlier attempt had arrived and its receipt got lost. */
  effect?: AnswerEffect
}

/** Questions fetched at once. Those after the first are there in case the connection is lost. */
const AHEAD = 40
/** Milliseconds that the charts show before and after the moment of a question. */
const BEFORE = 30_000
const AFTER = 15_000
/** Milliseconds between two claims of the question in view; a claim lasts a minute. */
const RENEW = 25_000
/** Milliseconds until the page looks at an empty queue again. */
const LOOK_AGAIN = 1_500
const REMEMBERED = 50
/** Passed questions that are remembered. With those ahead they must not exceed what one request can ask for. */
const PASSED = 450

/** A reviewer who answers one question after the other. */
export class ReviewSession {
  readonly question = signal<Question | null>(null)
  readonly state = signal<'loading' | 'asking' | 'empty' | 'offline'>('loading')
  /** The answer that the next one replaces. */
  readonly correcting = signal<Given | null>(null)
  readonly last = signal<Given | null>(null)
  readonly open = signal(0)
  /** What the reviewer has typed for others to read. */
  readonly note = signal('')
  readonly given = signal(0)
  /** A message to the reviewer; the page shows it, and screen readers speak it. */
  readonly message = signal('')
  /** Samples around the question; `null` until they are there. */
  readonly context = signal<{ ring: SampleRing; from: number; to: number } | null>(null)
  private readonly feed: SystemFeed
  private readonly done: Given[] = []
  private readonly passed = new Set<number>()
  private ahead: Question[] = []
  private resume: Question | null = null
  private looking = false
  /** Another kind of question is wanted than the one that is being looked for. */
  private again = false
  private whose: 'mine' | 'free'
  private closed = false
  private readonly ends: (() => void)[]
  private renewal: ReturnType<typeof setInterval>
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(feed: SystemFeed, whose: 'mine' | 'free' = 'free') {
    this.feed = feed
    this.whose = whose
    this.ends = [
      feed.onAnswer((answer) => this.seen(answer)),
      // The question in view may be one of its samples.
      feed.onStretch(() => void this.renew()),
      outbox.onDelivery((delivery) => this.delivered(delivery)),
      // After a pause, or at the start, the question in view may have been answered already.
      feed.connected.subscribe((connected) => {
        if (connected) void this.renew()
      }),
    ]
    this.renewal = setInterval(() => void this.renew(), RENEW)
    void this.next()
  }

  /** The system it is about. */
  get system(): string {
    return this.feed.id
  }

  close(): void {
    this.closed = true
    clearInterval(this.renewal)
    clearTimeout(this.timer)
    for (const end of this.ends) end()
    this.release()
  }

  /** Seconds since the sample of a question came, by the server's clock. */
  ageOf({ time }: Question): number {
    return Math.max(0, (this.feed.serverNow() - time) / 1000)
  }

  /** How many other open questions are like one, among the next ones. */
  likeIt(question: Question): number {
    return this.ahead.filter((other) => other.assessment !== question.assessment && areAlike(other, question)).length
  }

  /** Records an answer to the question in view, and goes on. */
  answer(answer: Answer): void {
    const question = this.question.peek()
    if (!question || this.state.peek() !== 'asking') return
    const replaced = this.correcting.peek()
    const key = crypto.randomUUID()
    const given: Given = { question, answer, key, status: 'waiting', replaced: replaced?.answer }
    this.done.push(given)
    if (this.done.length > REMEMBERED) this.done.shift()
    this.pass(question.assessment)
    batch(() => {
      this.last.value = given
      if (!replaced) this.given.value++
      this.correcting.value = null
      this.message.value = ''
    })
    outbox.send({
      system: this.feed.id,
      body: {
        assessment: question.assessment,
        ...answer,
        ...(replaced && { correction: true }),
        at: Date.now(),
        key,
        ...author(),
      },
    })
    void this.next()
  }

  /** Gives the system a new level, of which the question in view is the first sample. */
  async answerNewLevel(name: string): Promise<void> {
    const question = this.question.peek()
    const detail = await request<SystemDetail>('POST', systemPath(this.feed.id, '/levels'), { name })
    this.feed.detail.value = detail
    if (this.question.peek() === question) this.answer({ kind: 'label', level: detail.levels.length - 1 })
  }

  /** Records that the reviewer cannot tell, with the note, and goes on. An answer is not taken back by it. */
  cannotTell(): void {
    if (this.correcting.peek()) {
      this.skip()
      return
    }
    const note = this.note.peek().trim()
    this.answer({ kind: 'cannot-tell', ...(note !== '' && { note }) })
  }

  /** Shows only what is assigned to this person, or also what is assigned to nobody. */
  only(whose: 'mine' | 'free'): void {
    if (whose === this.whose) return
    this.whose = whose
    this.release()
    this.again = this.looking
    void this.next()
  }

  /** Leaves the question to others. While correcting, it leaves the earlier answer as it is. */
  skip(): void {
    const question = this.question.peek()
    if (!question) return
    const corrected = this.correcting.peek()
    if (corrected) {
      this.correcting.value = null
      this.done.push(corrected)
      this.pass(question.assessment)
    } else {
      this.pass(question.assessment)
      this.message.value = text.review.skipped
      this.release()
    }
    void this.next()
  }

  /** Brings the latest answer back. An answer that has not left is taken back; any other will be corrected. */
  undo(): void {
    const given = this.done.pop()
    if (!given || given.status === 'refused') {
      this.message.value = text.review.nothingToUndo
      return
    }
    const unsent = given.status === 'waiting' && outbox.takeBack(given.key)
    if (!this.correcting.peek()) this.resume = this.question.peek()
    batch(() => {
      this.message.value = unsent ? text.review.takenBack : ''
      this.correcting.value = unsent && !given.replaced ? null : given
      this.last.value = given
      if (unsent && !given.replaced) this.given.value--
    })
    this.passed.delete(given.question.assessment)
    this.show(given.question)
  }

  /** Finds the next question that nobody else has claimed, and claims it. */
  private async next(): Promise<void> {
    if (this.looking || this.closed) return
    clearTimeout(this.timer)
    const back = this.resume
    this.resume = null
    if (back && !this.passed.has(back.assessment)) return this.show(back)
    this.looking = true
    batch(() => {
      this.state.value = 'loading'
      this.question.value = null
    })
    try {
      const limit = AHEAD + this.passed.size
      const { open, questions } = await get<Queue>(systemPath(this.feed.id, '/queue'), {
        ...{ limit, whose: this.whose },
        ...author(),
      })
      this.open.value = open
      this.ahead = questions.filter(({ claim }) => !claim || claim.by === personName.peek())
      const found = await this.claimFirst()
      if (this.closed) return this.release(found)
      if (found) this.show(found)
      else this.wait('empty')
    } catch (error) {
      const offline = (error as ApiError).status === 0
      const kept = offline ? this.ahead.find(({ assessment }) => !this.passed.has(assessment)) : undefined
      if (kept) this.show(kept)
      else this.wait(offline ? 'offline' : 'empty')
    } finally {
      this.looking = false
      if (this.again) {
        this.again = false
        void this.next()
      }
    }
  }

  private async claimFirst(): Promise<Question | undefined> {
    // What is like an answered question comes last.
    const told = (question: Question) => this.done.some((given) => areAlike(given.question, question))
    const last = this.ahead.filter(told)
    for (const question of [...this.ahead.filter((one) => !last.includes(one)), ...last]) {
      if (this.passed.has(question.assessment)) continue
      try {
        await this.claim(question)
        // Somebody may have answered it while the claim was on its way.
        if (!this.passed.has(question.assessment)) return question
      } catch (error) {
        const { status } = error as ApiError
        // Somebody else was quicker, or the server no longer keeps it. The next one follows.
        if (status !== 409 && status !== 404) throw error
      }
    }
    return undefined
  }

  private claim({ assessment }: Question): Promise<unknown> {
    return request('POST', systemPath(this.feed.id, `/queue/${assessment}/claim`), author())
  }

  private show(question: Question): void {
    batch(() => {
      this.question.value = question
      this.state.value = 'asking'
      this.context.value = null
      this.note.value = ''
    })
    void this.loadContext(question)
  }

  private wait(state: 'empty' | 'offline'): void {
    this.state.value = state
    this.timer = setTimeout(() => void this.next(), LOOK_AGAIN)
  }

  private async loadContext(question: Question): Promise<void> {
    const [from, to] = [question.time - BEFORE, question.time + AFTER]
    try {
      const path = systemPath(this.feed.id, '/samples')
      const { samples } = await get<AssessedSamples>(path, { from, to, limit: 900 })
      if (this.question.peek() !== question) return
      // Thinning may have left out the sample that the question is about.
      const all = samples.some(({ assessment }) => assessment === question.assessment)
        ? samples
        : [...samples, question].sort((a, b) => a.time - b.time || a.assessment - b.assessment)
      const last = all.at(-1)?.time ?? to
      const ring = ringOf(all, question.values.length)
      this.context.value = { ring, from: Math.max(from, ring.first), to: Math.max(last, question.time + 1) }
    } catch {
      // A question can be answered without its surroundings.
    }
  }

  /** Somebody answered, perhaps in another tab. */
  private seen({ assessment, by, key }: AnswerEvent): void {
    if (this.correcting.peek() || this.done.some((given) => given.key === key)) return
    if (this.looking && this.ahead.some((question) => question.assessment === assessment)) this.pass(assessment)
    if (this.question.peek()?.assessment === assessment) this.leave(assessment, text.review.answeredBy(by))
  }

  /** Leaves a question that needs no answer any more. */
  private leave(assessment: number, why: string): void {
    this.pass(assessment)
    this.message.value = why
    void this.next()
  }

  private pass(assessment: number): void {
    this.passed.add(assessment)
    if (this.passed.size > PASSED) this.passed.delete(this.passed.values().next().value as number)
  }

  private delivered(delivery: Delivery): void {
    const { letter } = delivery
    const given = this.done.find(({ key }) => key === letter.body.key)
    if (!given || letter.system !== this.feed.id) return
    if ('refusal' in delivery) {
      given.status = 'refused'
      this.message.value = text.review.refused(delivery.refusal.message)
    } else {
      given.status = 'learned'
      given.effect = delivery.receipt.effect
      given.second = delivery.receipt.second
    }
    if (this.last.peek()?.key === given.key) this.last.value = { ...given }
    void this.feed.refresh().catch(() => {})
  }

  /** Claims the question in view again. A refusal means that somebody has answered it or that it is no longer kept. */
  private async renew(): Promise<void> {
    const question = this.question.peek()
    if (!question || this.correcting.peek()) return
    try {
      await this.claim(question)
    } catch (error) {
      const { status } = error as ApiError
      const gone = status === 409 || status === 404
      if (gone && this.question.peek() === question && !this.correcting.peek()) {
        this.leave(question.assessment, text.review.settled)
      }
    }
  }

  private release(question: Question | null | undefined = this.question.peek()): void {
    if (!question || this.correcting.peek()) return
    const { by } = author()
    const query = by === undefined ? '' : `?by=${encodeURIComponent(by)}`
    request('DELETE', systemPath(this.feed.id, `/queue/${question.assessment}/claim${query}`)).catch(() => {})
  }
}
