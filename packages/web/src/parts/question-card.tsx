import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Answer, Detail, Question, Reasons } from '../api/types.ts'
import { count, duration, percent, time } from '../format.ts'
import type { ReviewSession } from '../review/review-session.ts'
import { unusualFirst } from '../review/unusual.ts'
import { text } from '../strings/en.ts'
import { ChannelGrid } from './channel-grid.tsx'
import { Icon } from './icon.tsx'
import { LastAnswer } from './last-answer.tsx'
import { LevelMark, LevelName, Probabilities, Votes } from './level.tsx'

const words = text.review
/** Channels shown before one asks for all. */
const FEW = 6

interface QuestionCardProps {
  session: ReviewSession
  question: Question
  configuration: Detail['configuration']
  /** True while the next question is being looked for. */
  busy: boolean
}

/** One question: what is asked, the ways to answer, why it is asked, and what the sensors showed. */
export function QuestionCard({ session, question, configuration, busy }: QuestionCardProps) {
  const { levels: names, channels } = configuration
  const heading = useRef<HTMLHeadingElement>(null)
  const { assessment } = question
  // The focus goes to the new question, so that it is read out and Enter means "right".
  useEffect(() => heading.current?.focus(), [assessment])
  const corrected = session.correcting.value
  const name = names[question.level]
  const answer = (given: Answer) => session.answer(given)
  return (
    <article class="question" aria-busy={busy}>
      <div class="left">
        <section class="card ask">
          <p class="muted number">
            {words.number(count(assessment))},{' '}
            {words.at(time(question.time), duration(Math.max(0, (Date.now() - question.time) / 1000)))}
          </p>
          <h2 ref={heading} tabIndex={-1} id="question">
            <LevelMark level={question.level} levels={names.length} size={36} />
            <span>{words.ask(name)}</span>
          </h2>
          {question.asked?.kind === 'label' && <p>{words.labelWanted}</p>}
          {corrected && (
            <p class="correcting" role="status">
              {words.correcting(words.said(corrected.answer.answer, names[corrected.answer.level ?? -1]))}{' '}
              <button type="button" onClick={() => session.skip()}>
                {words.keepAnswer}
              </button>
            </p>
          )}
          <fieldset class="answers" aria-labelledby="question">
            <button
              type="button"
              class="answer primary"
              aria-keyshortcuts="Y Enter"
              onClick={() => answer({ answer: 'confirm' })}
            >
              <Icon name="check" size={20} /> {words.right} <kbd>{words.keys.right}</kbd>
            </button>
            <button type="button" class="answer" aria-keyshortcuts="N" onClick={() => answer({ answer: 'reject' })}>
              <Icon name="cross" size={20} /> {words.wrong} <kbd>{words.keys.wrong}</kbd>
            </button>
          </fieldset>
          <fieldset class="exact" aria-label={words.exact}>
            <span class="muted">{words.exact}</span>
            {names.map((level, i) => (
              <button
                key={level}
                type="button"
                aria-keyshortcuts={i < 9 ? String(i + 1) : undefined}
                onClick={() => answer({ answer: 'label', level: i })}
              >
                <LevelName level={i} names={names} size={14} /> {i < 9 && <kbd>{i + 1}</kbd>}
              </button>
            ))}
          </fieldset>
          <div class="row secondary">
            <button type="button" aria-keyshortcuts="S" onClick={() => session.skip()}>
              <Icon name="skip" /> {words.skip} <kbd>{words.keys.skip}</kbd>
            </button>
            <button type="button" aria-keyshortcuts="U" onClick={() => session.undo()}>
              <Icon name="undo" /> {words.undo} <kbd>{words.keys.undo}</kbd>
            </button>
          </div>
        </section>
        <LastAnswer session={session} names={names} />
        <Surroundings session={session} question={question} channels={channels} />
      </div>
      <section class="card why" aria-labelledby="why-title">
        <h3 id="why-title">{words.why}</h3>
        <Why question={question} weights={configuration.queue} />
        {question.likely !== question.level && <p class="muted small">{words.explored(names[question.likely])}</p>}
        <h3>{text.live.probabilities}</h3>
        <Probabilities values={question.probabilities} names={names} />
        <h3>{words.experts}</h3>
        <Votes experts={question.experts} names={names} label={words.votes} />
      </section>
    </article>
  )
}

const REASONS = ['uncertainty', 'disagreement', 'level', 'freshness'] as const satisfies readonly (keyof Reasons)[]

function Why({ question, weights }: { question: Question; weights: Reasons }) {
  const { reasons, confidence } = question
  const main = REASONS.reduce((best, reason) =>
    weights[reason] * reasons[reason] > weights[best] * reasons[best] ? reason : best,
  )
  return (
    <>
      <p>{words.because[main](percent(confidence, 0))}</p>
      <dl class="bars">
        {REASONS.map((reason) => (
          <div key={reason}>
            <dt>{words.reasons[reason]}</dt>
            <dd>
              <span class="bar" style={{ '--share': reasons[reason] }} />
              <span class="number">{percent(reasons[reason], 0)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Surroundings({
  session,
  question,
  channels,
}: {
  session: ReviewSession
  question: Question
  channels: readonly string[]
}) {
  const [all, setAll] = useState(false)
  const context = session.context.value
  const order = useMemo(() => (context ? unusualFirst(context.ring, question.time) : []), [context, question])
  const shown = all ? order : order.slice(0, FEW)
  return (
    <section class="card around" aria-labelledby="around-title">
      <header class="card-head">
        <h3 id="around-title">{words.channels}</h3>
        <span class="muted">{words.unusual}</span>
        {channels.length > FEW && (
          <button type="button" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? words.showFew : words.showAll(channels.length)}
          </button>
        )}
      </header>
      {context && (
        <ChannelGrid names={channels} shown={shown} samples={context} group="review" moment={question.time} large />
      )}
    </section>
  )
}
