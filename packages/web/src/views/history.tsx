import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get, systemPath } from '../api/client.ts'
import type { Detail, LogPage, LogRecord } from '../api/types.ts'
import { count } from '../format.ts'
import { toCsv, toJsonLines, who } from '../history/describe.ts'
import type { SystemFeed } from '../live/system-feed.ts'
import { announce } from '../parts/announcer.tsx'
import { Jump } from '../parts/jump.tsx'
import { RecordTable } from '../parts/record-table.tsx'
import { text } from '../strings/en.ts'

const words = text.history
const KINDS = ['feedback', 'correction', 'alarm', 'acknowledgement', 'configuration', 'created', 'compaction'] as const
const PAGE = 100
/** Records an export holds at most. */
const MOST = 50_000

/** The audit trail of a system. */
export function History({ feed }: { feed: SystemFeed }) {
  const { levels } = (feed.detail.value as Detail).configuration
  const kinds = useSignal<readonly string[]>(KINDS)
  const person = useSignal('')
  const records = useSignal<LogRecord[]>([])
  const next = useSignal<number | undefined>(undefined)
  const problem = useSignal('')
  const exporting = useSignal('')

  const page = (to?: number, limit = PAGE) =>
    get<LogPage>(systemPath(feed.id, '/log'), {
      kinds: kinds.value.join(','),
      by: person.value.trim() || undefined,
      to,
      limit,
      latest: true,
    })
  const matches = (record: LogRecord) => {
    const wanted = person.value.trim().toLowerCase()
    return wanted === '' || who(record).toLowerCase().includes(wanted)
  }
  const load = async (to?: number) => {
    problem.value = ''
    if (kinds.value.length === 0) {
      records.value = []
      next.value = undefined
      return
    }
    try {
      const answer = await page(to)
      records.value = to === undefined ? answer.records : [...records.value, ...answer.records]
      next.value = answer.next
    } catch (error) {
      problem.value = words.failed((error as Error).message)
    }
  }
  const chosen = kinds.value.join()
  useEffect(() => {
    const timer = setTimeout(() => void load(), 150)
    return () => clearTimeout(timer)
  }, [chosen, person.value, feed])

  const save = async (format: 'csv' | 'jsonl') => {
    const all: LogRecord[] = []
    for (let to: number | undefined; all.length < MOST; ) {
      const answer: LogPage = await page(to, 1000)
      all.push(...answer.records.filter(matches))
      exporting.value = words.exporting(count(all.length))
      if (answer.next === undefined) break
      to = answer.next
    }
    download(`${feed.id}-log.${format}`, format === 'csv' ? toCsv(all, levels) : toJsonLines(all))
    exporting.value = words.exported(count(all.length))
    announce(exporting.value)
  }
  const exportAs = (format: 'csv' | 'jsonl') =>
    void save(format).catch((error) => {
      exporting.value = words.failed((error as Error).message)
    })

  const shown = records.value.filter(matches)
  return (
    <main id="content" tabIndex={-1} class="history">
      <header class="view-head">
        <h1>{words.title}</h1>
        <p class="muted">{words.lead}</p>
      </header>
      <div class="card filters">
        <fieldset>
          <legend>{words.kinds}</legend>
          <div class="chips">
            {KINDS.map((kind) => (
              <label key={kind} class="chip">
                <input
                  type="checkbox"
                  checked={kinds.value.includes(kind)}
                  onChange={() => {
                    kinds.value = KINDS.filter((other) => (other === kind) !== kinds.value.includes(other))
                  }}
                />
                {words.kind[kind]}
              </label>
            ))}
          </div>
        </fieldset>
        <label>
          {words.who}
          <input
            type="search"
            value={person.value}
            placeholder={words.whoHint}
            onInput={(event) => {
              person.value = event.currentTarget.value
            }}
          />
        </label>
        <Jump system={feed.id} />
        <div class="row">
          <button type="button" onClick={() => exportAs('csv')}>
            {words.exportCsv}
          </button>
          <button type="button" onClick={() => exportAs('jsonl')}>
            {words.exportJson}
          </button>
          <span class="muted small">{exporting.value}</span>
        </div>
      </div>
      {problem.value && <p class="problem">{problem.value}</p>}
      <RecordTable records={shown} system={feed.id} levels={levels} />
      {shown.length === 0 && !problem.value && <p class="muted">{words.none}</p>}
      <div class="row">
        {next.value === undefined ? (
          <p class="muted">{words.end}</p>
        ) : (
          <button type="button" onClick={() => void load(next.value)}>
            {words.more}
          </button>
        )}
        <button type="button" onClick={() => void load()}>
          {words.newer}
        </button>
      </div>
    </main>
  )
}

function download(name: string, content: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content]))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
