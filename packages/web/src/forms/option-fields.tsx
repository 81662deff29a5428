import { useState } from 'preact/hooks'
import { capital } from '../strings/format.ts'
import { Field, NumberField } from './field.tsx'

/** An option of a table: what a form needs to ask for it. */
export interface OptionField {
  name: string
  kind: 'number' | 'integer' | 'flag' | 'choice' | 'json'
  about: string
  /** The accepted values in words. */
  allowed: string
  above?: number
  from?: number
  to?: number
  words?: readonly (string | boolean | number)[]
  default?: unknown
  /** The default in words. */
  otherwise?: string
}

interface OptionFieldsProps {
  fields: readonly OptionField[]
  values: Readonly<Record<string, unknown>>
  onChange: (values: Record<string, unknown>) => void
}

/** The options of a table as a form. An empty field means the default. */
export function OptionFields({ fields, values, onChange }: OptionFieldsProps) {
  const set = (name: string, value: unknown) => {
    const { [name]: _, ...others } = values
    onChange(value === undefined ? others : { ...others, [name]: value })
  }
  return (
    <div class="options">
      {fields.map((field) => (
        <OneOption
          key={field.name}
          field={field}
          value={values[field.name]}
          onChange={(value) => set(field.name, value)}
        />
      ))}
    </div>
  )
}

interface OneOptionProps {
  field: OptionField
  value: unknown
  onChange: (value: unknown) => void
}

function OneOption({ field, value, onChange }: OneOptionProps) {
  const { name, kind, words, above, from, to } = field
  const about = plain(field.about)
  if ((kind === 'number' || kind === 'integer') && !words?.length) {
    return (
      <NumberField
        label={name}
        hint={about}
        value={typeof value === 'number' ? value : undefined}
        placeholder={defaultOf(field)}
        least={from ?? above}
        most={to}
        whole={kind === 'integer'}
        onChange={onChange}
      />
    )
  }
  if (kind === 'flag' || kind === 'choice') {
    const choices = kind === 'flag' ? [true, false] : (words ?? [])
    return (
      <Field label={name} hint={about}>
        {(id, describedBy) => (
          <select
            id={id}
            aria-describedby={describedBy}
            value={value === undefined ? '' : JSON.stringify(value)}
            onChange={({ currentTarget }) =>
              onChange(currentTarget.value ? JSON.parse(currentTarget.value) : undefined)
            }
          >
            <option value="">{defaultOf(field)}</option>
            {choices.map((choice) => (
              <option key={String(choice)} value={JSON.stringify(choice)}>
                {String(choice)}
              </option>
            ))}
          </select>
        )}
      </Field>
    )
  }
  return <JsonOption field={field} value={value} onChange={onChange} />
}

/** A number or a word, or anything else that is written as JSON. */
function JsonOption({ field, value, onChange }: OneOptionProps) {
  const [problem, setProblem] = useState('')
  const take = (text: string) => {
    const wrong = text === '' ? '' : problemOf(text, field)
    setProblem(wrong)
    if (wrong === '') onChange(text === '' ? undefined : parsed(text))
  }
  return (
    <Field label={field.name} hint={problem || plain(`${field.about} ${capital(field.allowed)}.`)}>
      {(id, describedBy) => (
        <input
          id={id}
          type="text"
          spellcheck={false}
          aria-describedby={describedBy}
          aria-invalid={problem !== ''}
          value={value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)}
          placeholder={defaultOf(field)}
          onChange={({ currentTarget }) => take(currentTarget.value.trim())}
        />
      )}
    </Field>
  )
}

function problemOf(text: string, { kind, words = [], allowed }: OptionField): string {
  const value = parsed(text)
  if (words.includes(value as string) || (kind === 'json' && typeof value !== 'string')) return ''
  if (kind !== 'json' && typeof value === 'number') return ''
  return kind === 'json' && typeof value === 'string' && !/^[[{"]/.test(text) ? '' : `This must be ${allowed}.`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The tables mark names as code; a form has no room for marks. */
const plain = (text: string): string => text.replaceAll('`', '')

/** What holds where nothing is given. */
function defaultOf({ default: value, otherwise }: OptionField): string {
  if (otherwise) return plain(otherwise)
  if (value === undefined) return 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
