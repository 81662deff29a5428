import type { Question, SystemDetail } from '@pb-oel/protocol'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { announce } from '../chrome/announcer.tsx'
import type { SystemFeed } from '../feed/system-feed.ts'
import { Untrained } from '../promises/untrained.tsx'
import { changeQuery, query } from '../router.ts'
import { mayAnswer } from '../session/session.ts'
import { text } from '../strings/en.ts'
import { KeyHelp, openHelp } from './key-help.tsx'
import { commandOf, isTaken, singleKeys } from './keys.ts'
import { LastAnswer } from './last-answer.tsx'
import { levelKeys } from './level-keys.ts'
import { QuestionCard } from './question-card.tsx'
import { ReviewSession } from './review-session.ts'

const words = text.review

/** One question after the other. */
export function Review({ feed }: { feed: SystemFeed }) {
  return mayAnswer.value ? <Questions key={feed.id} feed={feed} /> : <NoAnswers />
}

/** The view of a person who may not answer. */
function NoAnswers() {
  return (
    <main id="content" tabIndex={-1} class="review">
      <h1>{words.title}</h1>
      <div class="empty">
        <p>{words.viewer}</p>
      </div>
    </main>
  )
}

function Questions({ feed }: { feed: SystemFeed }) {
  const mine = query.value.whose === 'mine'
  const session = useMemo(() => new ReviewSession(feed, mine ? 'mine' : 'free'), [feed])
  useEffect(() => () => session.close(), [session])
  const { configuration, trained } = feed.detail.value as SystemDetail
  const { levels } = configuration
  useKeys(session, levels)
  const state = session.state.value
  useEffect(() => session.only(mine ? 'mine' : 'free'), [session, mine])
  // While the page looks for the next question, the last one stays in view, so that nothing jumps.
  const seen = useRef<Question | null>(null)
  seen.current = session.question.value ?? (state === 'loading' ? seen.current : null)
  const question = seen.current
  const message = session.message.value
  useEffect(() => {
    if (message !== '') announce(message)
  }, [message])

  return (
    <main id="content" tabIndex={-1} class="review">
      <header class="view-head">
        <h1>{words.title}</h1>
        <p class="muted number">
          {words.open(session.open.value)}, {words.given(session.given.value)}
        </p>
        <label class="check">
          <input type="checkbox" checked={mine} onChange={() => changeQuery({ whose: mine ? undefined : 'mine' })} />
          {text.opinions.mine}
        </label>
        <p class="message" aria-hidden="true">
          {message}
        </p>
        <button type="button" onClick={openHelp}>
          {words.help} <kbd>{words.keys.help}</kbd>
        </button>
      </header>
      <KeyHelp />
      {!trained && <Untrained system={feed.id} names={levels} report={feed.guarantee.value?.promises} link={false} />}
      {question ? (
        <QuestionCard
          session={session}
          question={question}
          configuration={configuration}
          system={feed.id}
          busy={state === 'loading'}
        />
      ) : (
        <div class="left">
          <div class="card question waiting">
            <h2>
              {state === 'loading'
                ? words.loading
                : state === 'offline'
                  ? words.offline
                  : mine
                    ? text.opinions.emptyMine
                    : words.empty}
            </h2>
            {state === 'empty' && <p class="muted">{words.emptyHint}</p>}
          </div>
          <LastAnswer session={session} names={levels} />
        </div>
      )}
    </main>
  )
}

function useKeys(session: ReviewSession, levels: readonly string[]): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!singleKeys.value || isTaken(event)) return
      const command = commandOf(event.key, levelKeys(levels))
      if (!command) return
      event.preventDefault()
      if (command.kind === 'right') session.answer({ kind: 'confirm' })
      else if (command.kind === 'wrong') session.answer({ kind: 'reject' })
      else if (command.kind === 'cannot-tell') session.cannotTell()
      else if (command.kind === 'level') session.answer({ kind: 'label', level: command.level })
      else if (command.kind === 'skip') session.skip()
      else if (command.kind === 'undo') session.undo()
      else openHelp()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [session, levels])
}
