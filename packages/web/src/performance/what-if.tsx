import type { MethodList, SystemDetail, WhatIfResult } from '@pb-oel/protocol'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { get, LONG_WORK, request, systemPath } from '../api/client.ts'
import { type MethodChoice, MethodFields } from '../forms/method-fields.tsx'
import { text } from '../strings/en.ts'
import { count, percent } from '../strings/format.ts'

const words = text.whatIf

/** Runs another method over the log of this system, beside it, and compares. */
export function WhatIf({ detail }: { detail: SystemDetail }) {
  const { id, configuration } = detail
  const methods = useSignal<MethodList['methods']>([])
  const choice = useSignal<MethodChoice>({ name: otherThan(configuration.method), options: {} })
  const result = useSignal<WhatIfResult | null>(null)
  const problem = useSignal('')
  const running = useSignal(false)
  const ending = useRef<AbortController | null>(null)
  useEffect(() => {
    get<MethodList>('/v1/methods').then(
      (list) => {
        methods.value = list.methods
      },
      () => {},
    )
    return () => ending.current?.abort()
  }, [])
  const compare = async (event: Event) => {
    event.preventDefault()
    const end = new AbortController()
    ending.current = end
    running.value = true
    problem.value = ''
    result.value = null
    try {
      const { name, options } = choice.value
      const body = { method: name, options }
      result.value = await request<WhatIfResult>('POST', systemPath(id, '/what-if'), body, end.signal, LONG_WORK)
    } catch (error) {
      problem.value = end.signal.aborted ? words.cancelled : words.failed((error as Error).message)
    }
    running.value = false
  }
  return (
    <section class="card" aria-labelledby="what-if-title">
      <h2 id="what-if-title">{words.title}</h2>
      <p class="muted small">{words.hint}</p>
      <form class="what-if" onSubmit={compare} noValidate>
        <MethodFields
          label={words.method}
          methods={methods.value}
          choice={choice.value}
          onChange={(next) => {
            choice.value = next
          }}
        />
        <div class="row">
          <button type="submit" class="primary" disabled={running.value}>
            {running.value ? words.running : words.compare}
          </button>
          {running.value && (
            <button type="button" onClick={() => ending.current?.abort()}>
              {words.cancel}
            </button>
          )}
        </div>
      </form>
      <p class="problem" role="alert">
        {problem.value}
      </p>
      {result.value && <Comparison result={result.value} recorded={configuration.method} />}
    </section>
  )
}

function Comparison({ result, recorded }: { result: WhatIfResult; recorded: string }) {
  const { method, samples, agreement, comparable, undecided, recordedAccuracy, whatIfAccuracy } = result
  return (
    <div role="status">
      <table class="columns">
        <thead>
          <tr>
            <td />
            <th scope="col">{words.columns.recorded(recorded)}</th>
            <th scope="col">{words.columns.other(method)}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{words.right}</th>
            <td class="number">{percent(recordedAccuracy)}</td>
            <td class="number">{percent(whatIfAccuracy)}</td>
          </tr>
        </tbody>
      </table>
      <p class="small">{words.basis(comparable, undecided)}</p>
      <p class="small">{words.same(count(agreement), samples)}</p>
    </div>
  )
}

const otherThan = (method: string): string => (method === 'pb-oel-plus' ? 'pb-oel' : 'pb-oel-plus')
