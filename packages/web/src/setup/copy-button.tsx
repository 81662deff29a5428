import { useSignal } from '@preact/signals'

/** Copies a text and says so. Where the browser forbids it, the text can still be marked by hand. */
export function CopyButton({ text, label, done }: { text: string; label: string; done: string }) {
  const copied = useSignal('')
  const copy = async () => {
    await navigator.clipboard?.writeText(text).catch(() => {})
    copied.value = text
  }
  return (
    <button type="button" onClick={() => void copy()}>
      <span role="status">{copied.value === text ? done : label}</span>
    </button>
  )
}
