import { useState } from 'preact/hooks'
import { Choice } from '../../../../packages/web/src/forms/field.tsx'
import { readText } from '../../../../packages/web/src/table/read-text.ts'
import { asCommand } from '../copy/as-command.ts'
import { asTypeScript } from '../copy/as-typescript.ts'
import { fileName } from '../copy/settings-of.ts'
import { tableText } from '../file/table.ts'
import { toAddress } from '../settings/address.ts'
import { file, settings } from '../state.ts'

type Form = 'command' | 'typescript' | 'link'

/** The same run elsewhere: in a shell, in a program, or behind a link. */
export function Share() {
  const [form, setForm] = useState<Form>('command')
  const [copied, setCopied] = useState('')
  const chosen = settings.value
  const texts: Record<Form, () => string> = {
    command: () => asCommand(chosen),
    typescript: () => asTypeScript(chosen),
    link: () => `${location.href.split('#')[0]}#${toAddress(chosen)}`,
  }
  const text = texts[form]()
  const copy = async () => {
    await navigator.clipboard.writeText(text).catch(() => {})
    setCopied(text)
  }
  return (
    <section class="card share" aria-labelledby="share-title">
      <h2 id="share-title">The same run elsewhere</h2>
      <Choice
        label="As"
        value={form}
        choices={[
          ['command', 'Command'],
          ['typescript', 'TypeScript'],
          ['link', 'Link'],
        ]}
        onChange={setForm}
      />
      <pre data-testid="share">{text}</pre>
      <div class="row">
        <button type="button" onClick={copy}>
          {copied === text ? 'Copied' : 'Copy'}
        </button>
        {chosen.file && chosen.file.dropped.length > 0 && file.value && (
          <button type="button" onClick={() => void save()}>
            Save {fileName(chosen)}
          </button>
        )}
      </div>
      <Note form={form} />
    </section>
  )
}

function Note({ form }: { form: Form }) {
  const { file: columns, reviewer } = settings.value
  if (form === 'link' && columns) {
    return <p class="hint">The link names the file and its columns. Whoever opens it drops the file again.</p>
  }
  if (form === 'link') return <p class="hint">The link holds every setting.</p>
  if (reviewer.by === 'me') return <p class="hint">Elsewhere the simulated reviewer answers in your place.</p>
  return <p class="hint">It gives the same accuracy, bit for bit.</p>
}

/** Saves the file without the columns that are left out, for the command and the program. */
async function save(): Promise<void> {
  const columns = settings.value.file
  if (!columns || !file.value) return
  const text = tableText(await readText(file.value), columns)
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  link.download = fileName(settings.value)
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
