/** What went wrong with an operation, beside its button; nothing where nothing did. */
export function Problem({ text }: { text: string | null }) {
  if (!text) return null
  return (
    <span class="problem" role="alert">
      {text}
    </span>
  )
}
