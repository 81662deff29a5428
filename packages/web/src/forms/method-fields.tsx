import { capital } from '../strings/format.ts'
import { Field } from './field.tsx'
import { type OptionField, OptionFields } from './option-fields.tsx'

/** A method that can be chosen. */
interface MethodEntry {
  name: string
  title: string
  role: 'method' | 'rival' | 'baseline'
  summary: string
  options: readonly OptionField[]
}

/** A method with its options; what is left out is at its default. */
export interface MethodChoice {
  name: string
  options: Readonly<Record<string, unknown>>
}

interface MethodFieldsProps {
  label: string
  methods: readonly MethodEntry[]
  choice: MethodChoice
  onChange: (choice: { name: string; options: Record<string, unknown> }) => void
}

const ROLES = { method: 'Methods', rival: 'Rivals', baseline: 'Baselines' } as const

/** What the task says already, so that the form does not ask for it again. */
const FROM_TASK = new Set(['channels', 'levels', 'seed', 'warmUp', 'horizon', 'rho'])

/** A method, and its options in a drawer below it. */
export function MethodFields({ label, methods, choice: { name, options }, onChange }: MethodFieldsProps) {
  const entry = methods.find((method) => method.name === name)
  const fields = entry?.options.filter((option) => !FROM_TASK.has(option.name)) ?? []
  const changed = Object.keys(options).length
  return (
    <>
      <Field label={label} hint={entry && `${capital(entry.summary)}.`}>
        {(id, describedBy) => (
          <select
            id={id}
            aria-describedby={describedBy}
            value={name}
            onChange={({ currentTarget }) => onChange({ name: currentTarget.value, options: {} })}
          >
            {Object.entries(ROLES).map(([role, title]) => (
              <optgroup key={role} label={title}>
                {methods.filter((method) => method.role === role).map(methodOption)}
              </optgroup>
            ))}
          </select>
        )}
      </Field>
      {fields.length > 0 && (
        <details class="more">
          <summary>
            Options{' '}
            <span class="muted">
              {changed === 0 ? `${fields.length}, all at their defaults` : `${changed} changed`}
            </span>
          </summary>
          <OptionFields fields={fields} values={options} onChange={(values) => onChange({ name, options: values })} />
        </details>
      )}
    </>
  )
}

function methodOption({ name, title }: MethodEntry) {
  return (
    <option key={name} value={name}>
      {title}
    </option>
  )
}
