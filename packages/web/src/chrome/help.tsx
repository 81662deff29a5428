import type { ComponentChildren } from 'preact'
import { text } from '../strings/en.ts'

/**
 * A question mark that opens an explanation: for fingers and keys, not only for a pointer that rests. One is open at a
 * time.
 */
export function Help({ about, children }: { about: string; children: ComponentChildren }) {
  return (
    <details class="help" name="help">
      <summary aria-label={text.explain(about)} title={text.explain(about)}>
        ?
      </summary>
      <p>{children}</p>
    </details>
  )
}
