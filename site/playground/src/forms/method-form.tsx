import { CATALOGUE, type MethodEntry, methodEntry } from '../settings/catalogue.ts'
import { changeMethod, settings } from '../state.ts'
import { capital } from '../text.ts'
import { Field } from './field.tsx'
import { OptionFields } from './option-fields.tsx'

const ROLES = { method: 'Methods', rival: 'Rivals', baseline: 'Baselines' } as const

/** What the task says already, so that the form does not ask for it again. */
const FROM_TASK = new Set(['channels', 'levels', 'seed', 'warmUp', 'horizon', 'rho'])

/** Which methods run, and with which options. */
export function MethodForm() {
  const { methods, reviewer } = settings.value
  const mine = reviewer.by === 'me'
  return (
    <section class="card" aria-labelledby="method-title">
      <h2 id="method-title">Method</h2>
      <OneMethod index={0} label="Method" />
      {methods.length > 1 && !mine && <OneMethod index={1} label="Compared with" />}
      {mine ? (
        <p class="hint">You answer one method. Let the simulated reviewer answer to compare two.</p>
      ) : methods.length > 1 ? (
        <button type="button" onClick={() => changeMethod(1, undefined)}>
          Do not compare
        </button>
      ) : (
        <button type="button" onClick={() => changeMethod(1, { name: otherThan(methods[0].name), options: {} })}>
          Compare with another method
        </button>
      )}
    </section>
  )
}

const otherThan = (name: string): string => (name === 'pb-oel-plus' ? 'pb-oel' : 'pb-oel-plus')

function OneMethod({ index, label }: { index: number; label: string }) {
  const { name, options } = settings.value.methods[index]
  const entry = methodEntry(name)
  const fields = entry.options.filter((option) => !FROM_TASK.has(option.name))
  const changed = Object.keys(options).length
  return (
    <>
      <Field label={label} hint={`${capital(entry.summary)}.`}>
        {(id, describedBy) => (
          <select
            id={id}
            aria-describedby={describedBy}
            value={name}
            onChange={({ currentTarget }) => changeMethod(index, { name: currentTarget.value, options: {} })}
          >
            {Object.entries(ROLES).map(([role, title]) => (
              <optgroup key={role} label={title}>
                {CATALOGUE.methods.filter((method) => method.role === role).map(methodOption)}
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
          <OptionFields
            fields={fields}
            values={options}
            onChange={(values) => changeMethod(index, { name, options: values })}
          />
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
