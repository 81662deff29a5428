import type { SystemDetail } from '@pb-oel/protocol'
import { useSignal } from '@preact/signals'
import { request, sayFailed, systemPath } from '../api/client.ts'
import type { SystemFeed } from '../feed/system-feed.ts'
import { Field } from '../forms/field.tsx'
import { Outcome } from '../forms/outcome.tsx'
import { text } from '../strings/en.ts'

const words = text.settings

/** Adds a level to a living system, behind the others. */
export function AddLevel({ feed }: { feed: SystemFeed }) {
  const name = useSignal('')
  const said = useSignal('')
  const wrong = useSignal('')
  const add = async (event: Event) => {
    event.preventDefault()
    said.value = wrong.value = ''
    const level = name.value.trim()
    try {
      feed.detail.value = await request<SystemDetail>('POST', `${systemPath(feed.id)}/levels`, { name: level })
      said.value = words.levelAdded(level)
      name.value = ''
    } catch (error) {
      wrong.value = sayFailed(error, words.failed)
    }
  }
  return (
    <section class="card" aria-labelledby="level-title">
      <h2 id="level-title">{words.newLevel}</h2>
      <form onSubmit={add} noValidate>
        <Field label={words.levelName} hint={words.levelHint}>
          {(id, describedBy) => (
            <input
              id={id}
              aria-describedby={describedBy}
              maxLength={100}
              value={name.value}
              onInput={({ currentTarget }) => {
                name.value = currentTarget.value
              }}
            />
          )}
        </Field>
        <div class="row">
          <button type="submit" disabled={name.value.trim() === ''}>
            {words.addLevel}
          </button>
          <Outcome said={said.value} wrong={wrong.value} />
        </div>
      </form>
    </section>
  )
}
