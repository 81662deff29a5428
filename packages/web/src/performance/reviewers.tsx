import type { ReviewerList, ReviewerRecord } from '@pb-oel/protocol'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get, systemPath } from '../api/client.ts'
import { Heads, TableRegion } from '../forms/table-region.tsx'
import { text } from '../strings/en.ts'
import { count, moment } from '../strings/format.ts'

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
          {reviewers.value.map(({ by, answers, right, stretches, stretchAnswers, corrected, latest }) => (
            <tr key={by}>
              <th scope="row">{by}</th>
              <td class="number">{words.answers(answers, right)}</td>
              <td class="number">{words.stretches(stretches, stretchAnswers)}</td>
              <td class="number">{count(corrected)}</td>
              <td class="number">{moment(latest)}</td>
            </tr>
          ))}
        </TableRegion>
      )}
      <p class="hint">{words.hint}</p>
    </section>
  )
}
