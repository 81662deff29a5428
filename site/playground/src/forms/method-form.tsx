import { MethodFields } from '../../../../packages/web/src/forms/method-fields.tsx'
import { CATALOGUE } from '../settings/catalogue.ts'
import { changeMethod, settings } from '../state.ts'

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
  return (
    <MethodFields
      label={label}
      methods={CATALOGUE.methods}
      choice={settings.value.methods[index]}
      onChange={(choice) => changeMethod(index, choice)}
    />
  )
}
