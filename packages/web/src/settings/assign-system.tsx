import type { Assignment, SystemDetail } from '@pb-oel/protocol'
import { useSignal } from '@preact/signals'
import { request, sayFailed, systemPath } from '../api/client.ts'
import type { SystemFeed } from '../feed/system-feed.ts'
import { TextField } from '../forms/field.tsx'
import { author } from '../session/session.ts'
import { text } from '../strings/en.ts'

const words = text.opinions

/** Who shall answer the questions of a system. Reviewers may change it, too. */
export function AssignSystem({ feed }: { feed: SystemFeed }) {
  const { assignedTo = '' } = feed.detail.value as SystemDetail
  const name = useSignal(assignedTo)
  const said = useSignal('')
  const assign = async (event: Event) => {
    event.preventDefault()
    const to = name.peek().trim()
    try {
      await request<Assignment>('POST', systemPath(feed.id, '/assignments'), { to: to || null, ...author() })
      said.value = words.assigned(to || words.anybody)
    } catch (error) {
      said.value = sayFailed(error, words.failed)
    }
  }
  return (
    <form class="card" onSubmit={assign}>
      <TextField
        label={words.system}
        hint={words.systemHint}
        value={name.value}
        onInput={(value) => {
          name.value = value
        }}
      />
      <div class="row">
        <button type="submit">{words.save}</button>
        <span role="status">{said.value}</span>
      </div>
    </form>
  )
}
