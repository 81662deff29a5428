import type { SystemDetail } from '@pb-oel/protocol'
import { useEffect, useMemo } from 'preact/hooks'
import type { SystemFeed } from '../feed/system-feed.ts'
import { text } from '../strings/en.ts'
import { AuditTrail, KINDS } from './audit-trail.ts'
import { Jump } from './jump.tsx'
import { RecordTable } from './record-table.tsx'

const words = text.history
/** Milliseconds from the last key to the use of the filter. */
const TYPING = 150

/** The audit trail of a system. */
export function History({ feed }: { feed: SystemFeed }) {
  const { levels } = (feed.detail.value as SystemDetail).configuration
  const trail = useMemo(() => new AuditTrail(feed.id), [feed])
  const chosen = trail.kinds.value.join()
  useEffect(() => {
    const timer = setTimeout(() => void trail.load(), TYPING)
    return () => clearTimeout(timer)
  }, [chosen, trail.person.value, trail])

  const shown = trail.records.value.filter(trail.matches)
  const problem = trail.problem.value
  const next = trail.next.value
  return (
    <main id="content" tabIndex={-1} class="history">
      <header class="view-head">
        <h1>{words.title}</h1>
        <p class="muted">{words.lead}</p>
      </header>
      <div class="card filters">
        <Filters trail={trail} />
        <Jump system={feed.id} />
        <Export trail={trail} levels={levels} />
      </div>
      {problem && <p class="problem">{problem}</p>}
      <RecordTable records={shown} system={feed.id} levels={levels} />
      {shown.length === 0 && !problem && <p class="muted">{words.none}</p>}
      <div class="row">
        {next === undefined ? (
          <p class="muted">{words.end}</p>
        ) : (
          <button type="button" onClick={() => void trail.load(next)}>
            {words.more}
          </button>
        )}
        <button type="button" onClick={() => void trail.load()}>
          {words.newer}
        </button>
      </div>
    </main>
  )
}

function Filters({ trail }: { trail: AuditTrail }) {
  return (
    <>
      <fieldset>
        <legend>{words.kinds}</legend>
        <div class="chips">
          {KINDS.map((kind) => (
            <label key={kind} class="chip">
              <input type="checkbox" checked={trail.kinds.value.includes(kind)} onChange={() => trail.toggle(kind)} />
              {words.kind[kind]}
            </label>
          ))}
        </div>
      </fieldset>
      <label class="field">
        {words.who}
        <input
          type="search"
          value={trail.person.value}
          placeholder={words.whoHint}
          onInput={(event) => trail.filterBy(event.currentTarget.value)}
        />
      </label>
    </>
  )
}

function Export({ trail, levels }: { trail: AuditTrail; levels: readonly string[] }) {
  return (
    <div class="row">
      <button type="button" onClick={() => void trail.export('csv', levels)}>
        {words.exportCsv}
      </button>
      <button type="button" onClick={() => void trail.export('jsonl', levels)}>
        {words.exportJson}
      </button>
      <span class="muted small">{trail.exporting.value}</span>
    </div>
  )
}
