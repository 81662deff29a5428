import type { Configuration, Question } from '@pb-oel/protocol'
import { useEffect, useRef } from 'preact/hooks'
import { NotedComments } from '../comments/comments.tsx'
import { UntrainedMark } from '../level/level-large.tsx'
import { LevelMark } from '../level/level-mark.tsx'
import { systemLink } from '../router.ts'
import { text } from '../strings/en.ts'
import { count, duration, time } from '../strings/format.ts'
import { AnswerButtons } from './answer-buttons.tsx'
import { Assign } from './assign.tsx'
import { LastAnswer } from './last-answer.tsx'
import { NoneOfThese } from './none-of-these.tsx'
import type { ReviewSession } from './review-session.ts'
import { Surroundings } from './surroundings.tsx'
import { Why } from './why.tsx'

const words = text.review
/** Milliseconds around a question that the timeline shows, so that its neighbours can be answered at once. */
const AROUND = 30_000

interface QuestionCardProps {
  session: ReviewSession
  question: Question
  configuration: Configuration
  system: string
  /** True while the page looks for the next question. */
  busy: boolean
}

/** One question, the ways to answer it, why it is asked, and what the channels showed. */
export function QuestionCard({ session, question, configuration, system, busy }: QuestionCardProps) {
  const { levels: names } = configuration
  const heading = useRef<HTMLHeadingElement>(null)
  const { assessment } = question
  // The focus goes to the new question, so that screen readers read it.
  useEffect(() => heading.current?.focus(), [assessment])
  const corrected = session.correcting.value
  const name = names[question.level]
  const drawn = question.trained && question.likely !== question.level
  return (
    <article class="question" aria-busy={busy}>
      <div class="left">
        <section class="card ask">
          <p class="muted number">
            {words.number(count(assessment))}, {words.at(time(question.time), duration(session.ageOf(question)))}
          </p>
          <h2 ref={heading} tabIndex={-1} id="question">
            {question.trained ? (
              <LevelMark level={question.level} levels={names.length} size={36} />
            ) : (
              <UntrainedMark size={36} />
            )}
            <span>{headline(question, name)}</span>
          </h2>
          {drawn && <p class="muted">{words.drawnHint(names[question.likely])}</p>}
          {!question.trained && <p class="muted">{text.untrained.guessHint}</p>}
          {question.asked && question.asked.kind === 'label' && <p>{words.labelWanted}</p>}
          {question.novelty?.novel && <p>{text.novelty.question}</p>}
          {question.second && <p class="second">{text.opinions.second}</p>}
          {question.cannotTell !== undefined && <p class="muted">{text.opinions.others(question.cannotTell)}</p>}
          {corrected && (
            <p class="correcting" role="status">
              {words.correcting(words.said(corrected.answer.kind, names[corrected.answer.level ?? -1]))}{' '}
              <button type="button" onClick={() => session.skip()}>
                {words.keepAnswer}
              </button>
            </p>
          )}
          <Alike session={session} question={question} system={system} />
          <AnswerButtons session={session} names={names} />
          {!corrected && <NoneOfThese key={assessment} session={session} />}
          <NotedComments
            {...{ system, assessment, note: session.note }}
            // What others remarked could tell what they answered.
            hidden={question.second}
          />
          <Assign key={assessment} {...{ system, question }} />
        </section>
        <LastAnswer session={session} names={names} />
        <Surroundings {...{ session, question, configuration }} system={session.system} />
      </div>
      <Why question={question} names={names} weights={configuration.queue} />
    </article>
  )
}

/** How many questions nearly ask the same, and where all of them can be answered at once. */
function Alike({ session, question, system }: Pick<QuestionCardProps, 'session' | 'question' | 'system'>) {
  const others = session.likeIt(question)
  if (others === 0) return null
  const [from, to] = [-AROUND, AROUND].map((shift) => new Date(question.time + shift).toISOString())
  return (
    <p class="muted small">
      {words.alike(others)} <a href={`${systemLink(system)}?from=${from}&to=${to}`}>{words.together}</a>
    </p>
  )
}

/** What is asked. A level that was drawn to learn is no finding: the question says that it is a test. */
function headline({ trained, likely, level }: Question, name: string): string {
  if (!trained) return text.untrained.guess(name)
  return likely === level ? words.ask(name) : words.askDrawn(name)
}
