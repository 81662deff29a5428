import { signal } from '@preact/signals'

const polite = signal('')

/** Tells something to people who use a screen reader, without moving the focus. */
export function announce(words: string): void {
  // A screen reader speaks changes only, so that repeated words need a difference.
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
