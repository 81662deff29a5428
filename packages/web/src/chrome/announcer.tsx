import { signal } from '@preact/signals'

const polite = signal('')

/** Says something to people who use a screen reader, without moving the focus. */
export function announce(words: string): void {
  // The same words again must be news again.
  polite.value = polite.peek() === words ? `${words}\u00a0` : words
}

/** The live region that {@link announce} speaks through. */
export function Announcer() {
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {polite.value}
    </div>
  )
}
