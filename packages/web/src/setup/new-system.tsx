import type { MethodList } from '@pb-oel/protocol'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get } from '../api/client.ts'
import { Choice, Field, NumberField } from '../forms/field.tsx'
import { MethodFields } from '../forms/method-fields.tsx'
import { isAdmin } from '../session/session.ts'
import { text } from '../strings/en.ts'
import { openTableFile, type TableFile } from '../table/table-file.ts'
import { ChannelTable } from './channel-table.tsx'
import { ColumnTable } from './column-table.tsx'
import { createSystem, creation, problem } from './create-system.ts'
import { change, clearDraft, draft, idOf, lack, table, takeTable } from './draft.ts'
import { DropZone } from './drop-zone.tsx'
import { LevelList } from './level-list.tsx'

const words = text.create

/** Everything about a new system on one page: where its samples come from, its levels, its name and method. */
export function NewSystem() {
  const source = useSignal<'file' | 'sent'>('file')
  const file = source.value === 'file' ? table.value : null
  const described = source.value === 'sent' || file !== null
  const submit = (event: Event) => {
    event.preventDefault()
    void createSystem(draft.value, file)
  }
  return (
    <main id="content" tabIndex={-1} class="setup">
      <header class="view-head">
        <h1>{words.title}</h1>
        <p class="muted">{words.lead}</p>
      </header>
      {!isAdmin.value && <p>{words.adminOnly}</p>}
      <form onSubmit={submit} noValidate hidden={!isAdmin.value}>
        <section class="card" aria-labelledby="source-title">
          <h2 id="source-title">{words.source}</h2>
          <Choice
            label={words.source}
            value={source.value}
            choices={[
              ['file', words.sources.file],
              ['sent', words.sources.sent],
            ]}
            onChange={(choice) => {
              source.value = choice
              clearDraft()
            }}
          />
          {source.value === 'file' ? <FileSource file={file} /> : <ChannelTable />}
        </section>
        {described && <LevelList fromFile={file !== null} />}
        {described && <SystemFields />}
        {described && <Begin file={file} />}
      </form>
    </main>
  )
}

function FileSource({ file }: { file: TableFile | null }) {
  const reading = useSignal(false)
  const wrong = useSignal('')
  const open = async (dropped: File) => {
    reading.value = true
    wrong.value = ''
    try {
      takeTable(await openTableFile(dropped))
    } catch (error) {
      wrong.value = (error as Error).message
    }
    reading.value = false
  }
  return (
    <>
      <DropZone name={file?.name} onFile={(dropped) => void open(dropped)} />
      <p role="status" class="muted">
        {reading.value && words.reading}
      </p>
      <p class="problem" role="alert">
        {wrong.value}
      </p>
      {file && <ColumnTable file={file} />}
    </>
  )
}

function SystemFields() {
  const methods = useSignal<MethodList['methods']>([])
  useEffect(() => {
    get<MethodList>('/v1/methods').then(
      (list) => {
        methods.value = list.methods
      },
      () => {},
    )
  }, [])
  const { title, id, method, options, perThousand } = draft.value
  return (
    <section class="card" aria-labelledby="system-title">
      <h2 id="system-title">{words.system}</h2>
      <Field label={words.name} hint={words.nameHint(idOf(draft.value))}>
        {(field, describedBy) => (
          <input
            id={field}
            aria-describedby={describedBy}
            maxLength={100}
            value={title}
            onInput={({ currentTarget }) => change({ title: currentTarget.value })}
          />
        )}
      </Field>
      <MethodFields
        label={words.method}
        methods={methods.value}
        choice={{ name: method, options }}
        onChange={(choice) => change({ method: choice.name, options: choice.options })}
      />
      <NumberField
        label={words.asked}
        hint={words.askedHint}
        value={perThousand}
        least={1}
        most={1000}
        onChange={(value = 1000) => change({ perThousand: value })}
      />
      <details class="more">
        <summary>{words.more}</summary>
        <Field label={words.id} hint={words.idHint}>
          {(field, describedBy) => (
            <input
              id={field}
              aria-describedby={describedBy}
              maxLength={64}
              spellcheck={false}
              value={id}
              placeholder={idOf(draft.value)}
              onInput={({ currentTarget }) => change({ id: currentTarget.value })}
            />
          )}
        </Field>
      </details>
    </section>
  )
}

const SHARES = [
  [0.9, words.histories.most],
  [1, words.histories.all],
  [0, words.histories.none],
] as const

/** What becomes of the rows of the file, and the button that begins. */
function Begin({ file }: { file: TableFile | null }) {
  const missing = lack(draft.value, file)
  const under = creation.value
  return (
    <section class="card" aria-label={words.submit}>
      {file && (
        <Field label={words.history} hint={words.historyHint}>
          {(id, describedBy) => (
            <select
              id={id}
              aria-describedby={describedBy}
              value={String(draft.value.learned)}
              onChange={({ currentTarget }) => change({ learned: Number(currentTarget.value) })}
            >
              {SHARES.map(([share, label]) => (
                <option key={share} value={String(share)}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {missing && <p class="muted">{words.lacks[missing]}</p>}
      {under?.learning ? (
        <div class="row">
          <progress aria-label={words.history} value={under.learning.rows} max={under.learning.of} />
          <span class="number" role="status">
            {words.learning(under.learning.rows, under.learning.of)}
          </span>
          <button type="button" onClick={under.stop}>
            {words.stop}
          </button>
        </div>
      ) : (
        <div class="row">
          <button type="submit" class="primary" disabled={missing !== undefined || under !== null}>
            {under ? words.creating : words.submit}
          </button>
        </div>
      )}
      <p class="problem" role="alert">
        {problem.value}
      </p>
    </section>
  )
}
