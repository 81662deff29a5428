import { Icon } from '../chrome/icon.tsx'
import { LevelName } from '../level/level-mark.tsx'
import { text } from '../strings/en.ts'
import { levelKeys } from './level-keys.ts'
import type { ReviewSession } from './review-session.ts'

const words = text.review

/** The ways to answer: right, wrong, the exact level, cannot tell; or to skip, or to undo. */
export function AnswerButtons({ session, names }: { session: ReviewSession; names: readonly string[] }) {
  const keys = levelKeys(names)
  return (
    <>
      <fieldset class="answers" aria-labelledby="question">
        <button type="button" class="answer" aria-keyshortcuts="Y" onClick={() => session.answer({ kind: 'confirm' })}>
          <Icon name="check" size={20} /> {words.right} <kbd>{words.keys.right}</kbd>
        </button>
        <button type="button" class="answer" aria-keyshortcuts="N" onClick={() => session.answer({ kind: 'reject' })}>
          <Icon name="cross" size={20} /> {words.wrong} <kbd>{words.keys.wrong}</kbd>
        </button>
      </fieldset>
      <fieldset class="exact" aria-label={words.exact}>
        <span class="muted">{words.exact}</span>
        {names.map((level, i) => (
          <button
            key={level}
            type="button"
            aria-keyshortcuts={keys[i] || undefined}
            onClick={() => session.answer({ kind: 'label', level: i })}
          >
            <LevelName level={i} names={names} size={14} /> {keys[i] && <kbd>{keys[i].toUpperCase()}</kbd>}
          </button>
        ))}
      </fieldset>
      <div class="row secondary">
        {!session.correcting.value && (
          <button type="button" aria-keyshortcuts="C" onClick={() => session.cannotTell()}>
            <Icon name="question" /> {text.opinions.cannotTell} <kbd>{words.keys.cannotTell}</kbd>
          </button>
        )}
        <button type="button" aria-keyshortcuts="S" onClick={() => session.skip()}>
          <Icon name="skip" /> {words.skip} <kbd>{words.keys.skip}</kbd>
        </button>
        <button type="button" aria-keyshortcuts="U" onClick={() => session.undo()}>
          <Icon name="undo" /> {words.undo} <kbd>{words.keys.undo}</kbd>
        </button>
      </div>
    </>
  )
}
