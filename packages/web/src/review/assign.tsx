import type { Assignment, Question } from '@pb-oel/protocol'
import { useSignal } from '@preact/signals'
import { request, sayFailed, systemPath } from '../api/client.ts'
import { announce } from '../chrome/announcer.tsx'
import { Field } from '../forms/field.tsx'
import { author, personName } from '../session/session.ts'
import { text } from '../strings/en.ts'

const words = text.opinions

/** Who shall answer a question, and a line that changes it. */
export function Assign({ system, question }: { system: string; question: Question }) {
  const { assessment } = question
  const name = useSignal(question.assignedTo ?? '')
  const said = useSignal('')
  const assign = async (to: string) => {
    try {
      const body = { assessment, to: to || null, ...author() }
      await request<Assignment>('POST', systemPath(system, '/assignments'), body)
      name.value = to
      said.value = words.assigned(to || words.anybody)
    } catch (error) {
      said.value = sayFailed(error, words.failed)
    }
    announce(said.peek())
  }
  const submit = (event: Event) => {
    event.preventDefault()
    void assign(name.peek().trim())
  }
  return (
    <details class="assign">
      <summary>
        {words.assign}: {question.assignedTo ?? words.anybody}
      </summary>
      <form class="row" onSubmit={submit}>
        <Field label={words.assign}>
          {(id) => (
            <input
              id={id}
              maxLength={100}
              placeholder={words.anybody}
              value={name.value}
              onInput={({ currentTarget }) => {
                name.value = currentTarget.value
              }}
            />
          )}
        </Field>
        <button type="submit">{words.save}</button>
        <button type="button" onClick={() => void assign(personName.value)}>
          {words.toMe}
        </button>
        <span class="muted" aria-hidden="true">
          {said.value}
        </span>
      </form>
    </details>
  )
}
