import type { Comment, CommentList } from '@pb-oel/protocol'
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get, request, sayFailed, systemPath } from '../api/client.ts'
import { announce } from '../chrome/announcer.tsx'
import { Field } from '../forms/field.tsx'
import { author, mayAnswer } from '../session/session.ts'
import { text } from '../strings/en.ts'
import { moment } from '../strings/format.ts'

const words = text.opinions

interface CommentsProps {
  system: string
  assessment: number
}

/** What people have remarked on a moment, and a line for another remark. */
export function Comments({ system, assessment }: CommentsProps) {
  const note = useSignal('')
  return (
    <section class="card" aria-labelledby="comments-title">
      <h2 id="comments-title">{words.comments}</h2>
      <NotedComments {...{ system, assessment, note }} />
    </section>
  )
}

/**
 * The same without a frame, for a note that can also go with something else.
 *
 * @param hidden what others have said would give their answers away
 */
export function NotedComments({
  system,
  assessment,
  note,
  hidden = false,
}: CommentsProps & { note: Signal<string>; hidden?: boolean }) {
  const comments = useSignal<readonly Comment[]>([])
  const said = useSignal('')
  useEffect(() => {
    const reading = new AbortController()
    comments.value = []
    said.value = ''
    if (!hidden) {
      get<CommentList>(systemPath(system, '/comments'), { assessment }, reading.signal).then(
        (list) => {
          comments.value = list.comments
        },
        () => {},
      )
    }
    return () => reading.abort()
  }, [system, assessment, hidden])
  const add = async (event: Event) => {
    event.preventDefault()
    const typed = note.value.trim()
    if (typed === '') return
    try {
      const body = { assessment, text: typed, key: crypto.randomUUID(), ...author() }
      const comment = await request<Comment>('POST', systemPath(system, '/comments'), body)
      comments.value = [...comments.peek(), comment]
      note.value = ''
      said.value = words.commented
    } catch (error) {
      said.value = sayFailed(error, words.failed)
    }
    announce(said.peek())
  }
  return (
    <div class="comments">
      {comments.value.length > 0 && <CommentItems comments={comments.value} />}
      {mayAnswer.value && (
        <form class="row" onSubmit={add}>
          <Field label={words.note}>
            {(id) => (
              <input
                id={id}
                maxLength={500}
                value={note.value}
                placeholder={words.noteHint}
                onInput={({ currentTarget }) => {
                  note.value = currentTarget.value
                }}
              />
            )}
          </Field>
          <button type="submit">{words.comment}</button>
          <span class="muted" aria-hidden="true">
            {said.value}
          </span>
        </form>
      )}
    </div>
  )
}

function CommentItems({ comments }: { comments: readonly Comment[] }) {
  return (
    <ul>
      {comments.map(({ sequence, text: remark, by, time, cannotTell }) => (
        <li key={sequence}>
          {remark}{' '}
          <span class="muted small">
            {by}
            {cannotTell && `, ${words.couldNotTell}`}, {moment(time)}
          </span>
        </li>
      ))}
    </ul>
  )
}
