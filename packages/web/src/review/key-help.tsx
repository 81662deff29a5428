import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { text } from '../strings/en.ts'
import { singleKeys } from './keys.ts'

const open = signal(false)

/** Shows the list of keys. */
export function openHelp(): void {
  open.value = true
}

/** The keys of the review, with the switch that turns them off. */
export function KeyHelp() {
  const dialog = useRef<HTMLDialogElement>(null)
  const shown = open.value
  useEffect(() => {
    if (shown) dialog.current?.showModal()
    else dialog.current?.close()
  }, [shown])
  const close = () => {
    open.value = false
  }
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="help-title">
      <h2 id="help-title">{text.help.title}</h2>
      <dl class="keys">
        {text.help.rows.map(([key, meaning]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={singleKeys.value}
          onChange={(event) => {
            singleKeys.value = event.currentTarget.checked
          }}
        />
        {text.help.enable}
      </label>
      <button type="button" class="primary" onClick={close}>
        {text.help.close}
      </button>
    </dialog>
  )
}
