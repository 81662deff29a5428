import type { Reliability, ReviewerList, ReviewerRecord } from '@pb-oel/protocol'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get, systemPath } from '../api/client.ts'
import { Heads, TableRegion } from '../forms/table-region.tsx'
import { text } from '../strings/en.ts'
import { count, moment, percent } from '../strings/format.ts'

const words = text.reviewers

/** What each reviewer of a system has said. */
export function Reviewers({ system }: { system: string }) {
  const reviewers = useSignal<ReviewerRecord[] | null>(null)
  const problem = useSignal('')
  useEffect(() => {
    get<ReviewerList>(systemPath(system, '/reviewers')).then(
      (list) => {
        reviewers.value = list.reviewers
      },
      (error) => {
        problem.value = (error as Error).message
      },
    )
  }, [system])
  return (
    <section class="card" aria-labelledby="reviewers-title">
      <h2 id="reviewers-title">{words.title}</h2>
      {problem.value && <p class="problem">{problem.value}</p>}
      {reviewers.value?.length === 0 && <p class="muted">{words.none}</p>}
      {reviewers.value && reviewers.value.length > 0 && (
        <TableRegion label={words.title} head={<Heads words={words.columns} />}>
          {reviewers.value.map((reviewer) => (
            <Row key={reviewer.by} {...reviewer} />
          ))}
        </TableRegion>
      )}
      <p class="hint">{words.hint}</p>
    </section>
  )
}

function Row(reviewer: ReviewerRecord) {
  const { by, answers, right, stretches, stretchAnswers, corrected, latest } = reviewer
  const { cannotTell, agreed, compared, reliability } = reviewer
  return (
    <tr>
      <th scope="row">{by}</th>
      <td class="number">{words.answers(answers, right)}</td>
      <td class="number">{words.stretches(stretches, stretchAnswers)}</td>
      <td class="number">{count(corrected)}</td>
      <td class="number">{count(cannotTell)}</td>
      <td class="number">{text.opinions.agreement(agreed, compared)}</td>
      <td class="number">{reliability ? inWords(reliability) : '–'}</td>
      <td class="number">{moment(latest)}</td>
    </tr>
  )
}

function inWords({ estimate, low, high }: Reliability): string {
  return text.opinions.reliability(percent(estimate, 0), percent(low, 0), percent(high, 0))
}
