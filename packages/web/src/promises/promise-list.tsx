import type { Configuration, Guarantee, PromisesReport } from '@pb-oel/protocol'
import { text } from '../strings/en.ts'
import { unbroken } from '../strings/format.ts'
import { type PromiseWords, promiseWords } from './promise-words.ts'
import { ReliabilityCurve } from './reliability-curve.tsx'

const words = text.promises

interface PromiseListProps {
  guarantee: Guarantee
  configuration: Configuration
}

/** What is promised, each in one sentence; a click opens what it is made of and what it stands on. */
export function PromiseList({ guarantee, configuration }: PromiseListProps) {
  const said = promiseWords(guarantee, configuration)
  const untrained = guarantee.promises?.trained === false
  return (
    <div class="promises">
      {said.map((promise) => (
        <Promised key={promise.key} promise={promise} report={guarantee.promises} />
      ))}
      {said.length === 0 && <p class="muted">{untrained ? words.untrained : words.none}</p>}
      {!untrained && <p class="muted small">{aboutTheorem(guarantee, said)}</p>}
    </div>
  )
}

function Promised({ promise, report }: { promise: PromiseWords; report?: PromisesReport }) {
  const { key, sentence, latest, terms, conditions } = promise
  return (
    <details class="promise">
      <summary>
        <span>{unbroken(sentence)}</span>
        {latest && <span class="muted"> {unbroken(latest)}</span>}
      </summary>
      {terms.length > 0 && (
        <>
          <h3>{words.termsTitle}</h3>
          <dl class="terms">
            {terms.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd class="number">{value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {key === 'calibration' && report && <ReliabilityCurve bins={report.reliability} />}
      <h3>{words.conditionsTitle}</h3>
      <ul class="conditions">
        {conditions.map((condition) => (
          <li key={condition}>{condition}</li>
        ))}
      </ul>
    </details>
  )
}

/** Why the theorem of the method is not among the promises, where it has one. */
function aboutTheorem(guarantee: Guarantee, said: readonly PromiseWords[]): string {
  if (said.some(({ key }) => key === 'bound')) return ''
  if (guarantee.applies) return words.boundLater
  return (said.length > 0 ? words.boundNot : words.boundNotAlone)(guarantee.reason)
}
