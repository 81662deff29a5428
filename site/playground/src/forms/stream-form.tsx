import { useRef, useState } from 'preact/hooks'
import { Choice, Field } from '../../../../packages/web/src/forms/field.tsx'
import { OptionFields } from '../../../../packages/web/src/forms/option-fields.tsx'
import { capital } from '../../../../packages/web/src/strings/format.ts'
import { parseAddress, writeAddress } from '../engine/address.ts'
import { dragging } from '../file/dropping.ts'
import { CATALOGUE } from '../settings/catalogue.ts'
import { change, file, fileProblem, leaveFile, settings, takeFile } from '../state.ts'
import { ColumnForm } from './column-form.tsx'

/** Where the samples come from: a generator, or a file that stays in this browser. */
export function StreamForm() {
  const [own, setOwn] = useState(false)
  const choose = (kind: 'generator' | 'file') => {
    setOwn(kind === 'file')
    if (kind === 'generator') leaveFile()
  }
  const isFile = own || settings.value.file !== undefined
  return (
    <section class="card" aria-labelledby="stream-title">
      <h2 id="stream-title">Stream</h2>
      <Choice
        label="Where the samples come from"
        value={isFile ? 'file' : 'generator'}
        choices={[
          ['generator', 'Generator'],
          ['file', 'Your CSV'],
        ]}
        onChange={choose}
      />
      {isFile ? <FileForm /> : <GeneratorForm />}
    </section>
  )
}

function GeneratorForm() {
  const { name, settings: values } = parseAddress(settings.value.stream)
  const generator = CATALOGUE.generators.find((generator) => generator.name === name) ?? CATALOGUE.generators[0]
  const first = generator.options.filter(({ name }) => name === 'seed' || name === 'samples')
  const more = generator.options.filter((option) => !first.includes(option))
  const set = (settings: Record<string, unknown>) =>
    change({ stream: writeAddress(name, settings as Record<string, number>) })
  return (
    <>
      <Field label="Generator" hint={`${capital(generator.summary)}.`}>
        {(id, describedBy) => (
          <select
            id={id}
            aria-describedby={describedBy}
            value={name}
            onChange={({ currentTarget }) => change({ stream: currentTarget.value })}
          >
            {CATALOGUE.generators.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      </Field>
      <details class="more">
        <summary>Settings of the generator</summary>
        <OptionFields fields={[...first, ...more]} values={values} onChange={set} />
      </details>
    </>
  )
}

function FileForm() {
  const input = useRef<HTMLInputElement>(null)
  const known = settings.value.file
  return (
    <>
      <div class={`drop ${dragging.value ? 'over' : ''}`}>
        <p>
          {file.value ? <strong>{file.value.name}</strong> : known ? `Drop ${known.name} here` : 'Drop a CSV file here'}
        </p>
        <p class="hint">.csv or .csv.gz, one row per sample. It stays in this browser.</p>
        <button type="button" onClick={() => input.current?.click()}>
          {file.value ? 'Choose another file' : 'Choose a file'}
        </button>
        <input
          ref={input}
          type="file"
          class="visually-hidden"
          tabIndex={-1}
          aria-label="CSV file"
          accept=".csv,.gz,text/csv,application/gzip"
          onChange={({ currentTarget: { files } }) => {
            if (files?.[0]) void takeFile(files[0])
          }}
        />
      </div>
      <p class="problem" role="alert">
        {fileProblem.value}
      </p>
      <ColumnForm />
    </>
  )
}
