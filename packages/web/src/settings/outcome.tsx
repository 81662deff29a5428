import type { ReadonlySignal } from '@preact/signals'

/** What came of a form, told to screen readers too: that it was done, or what is wrong. */
export function Outcome({ said, wrong }: { said: ReadonlySignal<string>; wrong: ReadonlySignal<string> }) {
  return (
    <>
      <span role="status">{said.value}</span>
      <span class="problem" role="alert">
        {wrong.value}
      </span>
    </>
  )
}
