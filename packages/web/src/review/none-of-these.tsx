import { useSignal } from '@preact/signals'
import { sayFailed } from '../api/client.ts'
import { TextField } from '../forms/field.tsx'
import { isAdmin } from '../session/session.ts'
import { text } from '../strings/en.ts'
import type { ReviewSession } from './review-session.ts'

const words = text.novelty

/**
 * The answer "none of these levels". An admin names the level, which the system then has, and the sample is the first
 * of it. Anybody else says that they cannot tell, and why, so that an admin hears of it.
 */
export function NoneOfThese({ session }: { session: ReviewSession }) {
  const open = useSignal(false)
  const name = useSignal('')
  const wrong = useSignal('')
  const say = () => {
    if (isAdmin.peek()) open.value = true
    else session.answer({ kind: 'cannot-tell', note: words.none })
  }
  const add = async (event: Event) => {
    event.preventDefault()
    wrong.value = ''
    try {
      await session.answerNewLevel(name.value.trim())
    } catch (error) {
      wrong.value = sayFailed(error, text.settings.failed)
    }
  }
  if (!open.value)
    return (
      <div class="row secondary">
        <button type="button" onClick={say}>
          {words.none}
        </button>
      </div>
    )
  return (
    <form onSubmit={add} noValidate>
      <TextField
        label={words.name}
        hint={text.settings.levelHint}
        value={name.value}
        onInput={(value) => {
          name.value = value
        }}
      />
      <div class="row">
        <button type="submit" disabled={name.value.trim() === ''}>
          {words.add}
        </button>
        <button
          type="button"
          onClick={() => {
            open.value = false
          }}
        >
          {words.cancel}
        </button>
        <span class="problem" role="alert">
          {wrong.value}
        </span>
      </div>
    </form>
  )
}
