import type { SystemDetail } from '@pb-oel/protocol'
import { useSignal } from '@preact/signals'
import { request, sayFailed, systemPath } from '../api/client.ts'
import type { SystemFeed } from '../feed/system-feed.ts'
import { readSystems } from '../feed/systems.ts'
import { Field } from '../forms/field.tsx'
import { text } from '../strings/en.ts'

const words = text.settings

/** Archives, restores or deletes a system. To delete it, its name must be typed. */
export function EndSystem({ feed, archived }: { feed: SystemFeed; archived: boolean }) {
  const typed = useSignal('')
  const wrong = useSignal('')
  const attempt = (task: () => Promise<unknown>) => {
    wrong.value = ''
    task().catch((error) => {
      wrong.value = sayFailed(error, (why) => why)
    })
  }
  const archive = async () => {
    feed.detail.value = await request<SystemDetail>('PATCH', systemPath(feed.id), { archived: !archived })
    await readSystems()
  }
  const remove = async () => {
    await request('DELETE', `${systemPath(feed.id)}?confirm=${encodeURIComponent(typed.value)}`)
    location.hash = '#/'
  }
  return (
    <section class="card end-system" aria-labelledby="end-title">
      <h2 id="end-title">{words.end}</h2>
      <div class="row">
        <button type="button" onClick={() => attempt(archive)}>
          {archived ? words.restore : words.archive}
        </button>
        <span class="muted small">{words.archiveHint}</span>
      </div>
      <Field label={words.confirm} hint={words.removeHint(feed.id)}>
        {(id, describedBy) => (
          <input
            id={id}
            aria-describedby={describedBy}
            autocomplete="off"
            spellcheck={false}
            value={typed.value}
            onInput={({ currentTarget }) => {
              typed.value = currentTarget.value
            }}
          />
        )}
      </Field>
      <div class="row">
        <button type="button" class="danger" disabled={typed.value !== feed.id} onClick={() => attempt(remove)}>
          {words.remove}
        </button>
        <span class="problem" role="alert">
          {wrong.value}
        </span>
      </div>
    </section>
  )
}
