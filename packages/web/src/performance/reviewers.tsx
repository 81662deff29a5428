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
        <TableRegion stacked label={words.title} head={<Heads words={words.columns} />}>
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
      <Cell column="answers" value={words.answers(answers, right)} />
      <Cell column="stretches" value={words.stretches(stretches, stretchAnswers)} />
      <Cell column="corrected" value={count(corrected)} />
      <Cell column="cannotTell" value={count(cannotTell)} />
      <Cell column="agreed" value={text.opinions.agreement(agreed, compared)} />
      <Cell column="reliability" value={reliability ? inWords(reliability) : '–'} />
      <Cell column="last" value={moment(latest)} />
    </tr>
  )
}

function Cell({ column, value }: { column: keyof typeof words.columns; value: string }) {
  return (
    <td class="number" data-label={words.columns[column]}>
      {value}
    </td>
  )
}

function inWords({ estimate, low, high }: Reliability): string {
  return text.opinions.reliability(percent(estimate, 0), percent(low, 0), percent(high, 0))
}
