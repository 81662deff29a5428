import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { text } from '../strings/en.ts'

const words = text.create

/** Takes a file that is dropped or chosen. */
export function DropZone({ name, onFile }: { name: string | undefined; onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const over = useSignal(false)
  const hover = (is: boolean) => (event: DragEvent) => {
    event.preventDefault()
    over.value = is
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same for keys and readers
    <div
      class={`drop ${over.value ? 'over' : ''}`}
      onDragOver={hover(true)}
      onDragLeave={hover(false)}
      onDrop={(event) => {
        hover(false)(event)
        const file = event.dataTransfer?.files[0]
        if (file) onFile(file)
      }}
    >
      <p>{name ? <strong>{name}</strong> : words.drop}</p>
      <p class="hint">{words.dropHint}</p>
      <button type="button" onClick={() => input.current?.click()}>
        {name ? words.another : words.choose}
      </button>
      <input
        aria-label={words.fileLabel}
        type="file"
        ref={input}
        tabIndex={-1}
        class="visually-hidden"
        accept=".csv,.tsv,.txt,.gz,text/csv,application/gzip"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) onFile(file)
          // The same file may be chosen again.
          currentTarget.value = ''
        }}
      />
    </div>
  )
}
