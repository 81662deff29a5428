import { text } from '../strings/en.ts'
import { CopyButton } from './copy-button.tsx'

interface SnippetBoxProps {
  /** What it is, for screen readers. */
  label: string
  shown: string
  hint?: string
}

/** A text to be copied. */
export function SnippetBox({ label, shown, hint }: SnippetBoxProps) {
  return (
    <>
      <section aria-label={label}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reached by keys */}
        <pre class="snippet" tabIndex={0}>
          {shown}
        </pre>
      </section>
      <div class="row">
        <CopyButton text={shown} label={text.connect.copy} done={text.connect.copied} />
        {hint && <span class="muted small">{hint}</span>}
      </div>
    </>
  )
}
