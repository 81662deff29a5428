import type { Role } from '@pb-oel/protocol'
import { useSignal } from '@preact/signals'
import { Field, TextField } from '../forms/field.tsx'
import { text } from '../strings/en.ts'

const words = text.people

/**
 * Asks for a name, a role and systems.
 *
 * @param first there is no token yet: the first one must be an admin of all systems
 */
export function NewTokenForm({
  first,
  onMake,
}: {
  first: boolean
  onMake: (name: string, role: Role, systems: string[]) => void
}) {
  const name = useSignal('')
  const role = useSignal<Role>('reviewer')
  const systems = useSignal('')
  const submit = (event: Event) => {
    event.preventDefault()
    const list = systems.value.split(',').flatMap((one) => one.trim() || [])
    onMake(name.value.trim(), first ? 'admin' : role.value, first ? [] : list)
    name.value = ''
  }
  return (
    <form class="card" onSubmit={submit} noValidate aria-labelledby="token-title">
      <h2 id="token-title">{words.add}</h2>
      <div class="options">
        <TextField
          label={words.name}
          value={name.value}
          onInput={(value) => {
            name.value = value
          }}
        />
        <Field label={words.role}>
          {(id) => (
            <select
              id={id}
              disabled={first}
              value={first ? 'admin' : role.value}
              onChange={({ currentTarget }) => {
                role.value = currentTarget.value as Role
              }}
            >
              {Object.entries(words.roles).map(([one, label]) => (
                <option key={one} value={one}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        <TextField
          label={words.systems}
          hint={words.systemsHint}
          disabled={first}
          value={systems.value}
          onInput={(value) => {
            systems.value = value
          }}
        />
      </div>
      <div class="row">
        <button type="submit" class="primary" disabled={name.value.trim() === ''}>
          {words.make}
        </button>
      </div>
    </form>
  )
}
