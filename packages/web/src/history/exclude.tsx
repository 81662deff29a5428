import type { Exclusion, GivenExclusion, LogRecord, SystemEvent } from '@pb-oel/protocol'
import { useSignal } from '@preact/signals'
import { LONG_WORK, request, sayFailed, systemPath } from '../api/client.ts'
import { author, isAdmin } from '../session/session.ts'
import { text } from '../strings/en.ts'
import { count } from '../strings/format.ts'

const words = text.exclude

/** Lets an admin make the model forget the sample of a record, or every sample behind the record. */
export function Exclude({ system, event, records }: { system: string; event: number; records: readonly LogRecord[] }) {
  const why = useSignal('')
  const said = useSignal('')
  const busy = useSignal(false)
  if (!isAdmin.value) return null
  const assessment = assessmentAt(records, event)
  const exclude = async (which: Pick<GivenExclusion, 'from' | 'afterRecord'>) => {
    busy.value = true
    said.value = words.busy
    try {
      const body = { ...which, why: why.value.trim(), ...author() }
      const path = systemPath(system, '/exclusions')
      const { from, to } = await request<Exclusion>('POST', path, body, undefined, LONG_WORK)
      said.value = words.done(to - from + 1)
    } catch (error) {
      said.value = sayFailed(error, words.failed)
    }
    busy.value = false
  }
  const unable = busy.value || why.value.trim() === ''
  return (
    <section class="card" aria-labelledby="exclude-title">
      <h2 id="exclude-title">{words.title}</h2>
      <p class="muted small">{words.hint}</p>
      <label class="field">
        {words.why}
        <input
          maxLength={100}
          value={why.value}
          onInput={(event) => {
            why.value = event.currentTarget.value
          }}
        />
      </label>
      <div class="row">
        {assessment !== undefined && (
          <button type="button" disabled={unable} onClick={() => void exclude({ from: assessment })}>
            {words.one(count(assessment))}
          </button>
        )}
        <button type="button" disabled={unable} onClick={() => void exclude({ afterRecord: event })}>
          {words.after(count(event))}
        </button>
      </div>
      <p role="status">{said.value}</p>
    </section>
  )
}

/** The number of the assessment that a record makes, or whose sample it is. */
function assessmentAt(records: readonly LogRecord[], event: number): number | undefined {
  const at = (sequence: number) => records.find((record) => record.sequence === sequence)
  const made = (at(at(event)?.kind === 'sample' ? event + 1 : event) ?? {}) as unknown as Partial<SystemEvent>
  return made.kind === 'assessment' ? made.body?.assessment : undefined
}
