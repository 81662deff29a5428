import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  label: string
  hint?: string
  children: (id: string, describedBy: string | undefined) => ComponentChildren
}

/** A label above a control, and a sentence below it. */
export function Field({ label, hint, children }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  return (
    <div class="form-field">
      <label for={id}>{label}</label>
      {children(id, hint ? hintId : undefined)}
      {hint && (
        <p id={hintId} class="hint">
          {hint}
        </p>
      )}
    </div>
  )
}

interface TextFieldProps {
  label: string
  hint?: string
  value: string
  disabled?: boolean
  onInput: (value: string) => void
}

/** A short text. */
export function TextField({ label, hint, value, disabled, onInput }: TextFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(id, describedBy) => (
        <input
          id={id}
          aria-describedby={describedBy}
          maxLength={1000}
          spellcheck={false}
          disabled={disabled}
          value={value}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      )}
    </Field>
  )
}

interface NumberFieldProps {
  label: string
  hint?: string
  value: number | undefined
  placeholder?: string
  least?: number
  most?: number
  whole?: boolean
  /** `undefined` where the field is empty. */
  onChange: (value: number | undefined) => void
}

/** A number that may be left empty. What is out of range is marked and not taken. */
export function NumberField({ label, hint, value, placeholder, least, most, whole, onChange }: NumberFieldProps) {
  const take = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    if (currentTarget.value === '') onChange(undefined)
    else if (currentTarget.validity.valid) onChange(currentTarget.valueAsNumber)
  }
  return (
    <Field label={label} hint={hint}>
      {(id, describedBy) => (
        <input
          type="number"
          inputMode="decimal"
          id={id}
          aria-describedby={describedBy}
          value={value ?? ''}
          placeholder={placeholder}
          min={least}
          max={most}
          step={whole ? 1 : 'any'}
          onChange={take}
        />
      )}
    </Field>
  )
}

interface ShareFieldProps {
  label: string
  hint?: string
  value: number
  most?: number
  onChange: (value: number) => void
}

/** A share as a slider in per cent; finer near zero, where it matters. */
export function ShareField({ label, hint, value, most = 1, onChange }: ShareFieldProps) {
  const place = Math.round(100 * Math.sqrt(value / most))
  return (
    <Field label={label} hint={hint}>
      {(id, describedBy) => (
        <div class="slider">
          <input
            id={id}
            aria-describedby={describedBy}
            type="range"
            min={0}
            max={100}
            value={place}
            aria-valuetext={shown(value)}
            onInput={({ currentTarget }) => onChange(rounded(most * (currentTarget.valueAsNumber / 100) ** 2))}
          />
          <output class="number">{shown(value)}</output>
        </div>
      )}
    </Field>
  )
}

const rounded = (share: number): number =>
  share < 0.01 ? Math.round(share * 1000) / 1000 : Math.round(share * 100) / 100
const shown = (share: number): string => `${Number((100 * share).toFixed(1))} %`

interface ChoiceProps<T extends string> {
  label: string
  value: T
  choices: readonly (readonly [value: T, label: string])[]
  onChange: (value: T) => void
}

/** A few choices beside each other. */
export function Choice<T extends string>({ label, value, choices, onChange }: ChoiceProps<T>) {
  const name = useId()
  return (
    <div class="choice" role="radiogroup" aria-label={label}>
      {choices.map(([choice, text]) => (
        <label key={choice} class={choice === value ? 'chosen' : ''}>
          <input type="radio" name={name} checked={choice === value} onChange={() => onChange(choice)} />
          {text}
        </label>
      ))}
    </div>
  )
}
