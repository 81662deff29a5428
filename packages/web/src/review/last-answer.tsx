import { useEffect } from 'preact/hooks'
import { announce } from '../chrome/announcer.tsx'
import { text } from '../strings/en.ts'
import { count, percent, points } from '../strings/format.ts'
import type { Given, ReviewSession } from './review-session.ts'

const words = text.review

/** The last answer: whether it arrived, and what it changed. */
export function LastAnswer({ session, names }: { session: ReviewSession; names: readonly string[] }) {
  const last = session.last.value
  const said = last && words.said(last.answer.kind, names[last.answer.level ?? -1])
  const status = last && statusOf(last, said as string)
  const change = last?.status === 'learned' && last.answer.kind !== 'cannot-tell' && !last.second ? changeOf(last) : ''
  const spoken = status && `${status} ${change}`
  useEffect(() => {
    if (spoken) announce(spoken)
  }, [spoken])
  if (!last) return null
  return (
    <section class="card last" aria-labelledby="last-title">
      <h3 id="last-title">{words.lastAnswer}</h3>
      <p>
        <strong>{status}</strong> <span class="muted number">{words.number(count(last.question.assessment))}</span>
      </p>
      {change && (
        <p class="number">
          {words.changed}: {change}
        </p>
      )}
    </section>
  )
}

function statusOf({ status, replaced, second }: Given, said: string): string {
  if (status === 'waiting') return words.waiting(said)
  if (status === 'refused') return words.refused(said)
  if (second) return text.opinions.secondRecorded(said)
  return replaced ? words.corrected(said) : words.recorded(said)
}

/** The accuracy and the weights before and after an answer, in words. */
function changeOf({ effect }: Given): string {
  const parts: string[] = []
  const [from, to] = effect?.accuracy ?? []
  if (to !== null && to !== undefined) parts.push(words.accuracyChange(percent(from, 2), percent(to, 2)))
  if (effect?.weights) {
    const [before, after] = effect.weights
    const moved = after
      .map((weight, expert) => ({ expert, by: weight - before[expert], text: points(before[expert], weight) }))
      .filter(({ text: change }) => change !== '±0')
      .sort((a, b) => Math.abs(b.by) - Math.abs(a.by))
      .slice(0, 2)
    parts.push(
      ...(moved.length === 0 ? [words.unchanged] : moved.map(({ expert, text: by }) => words.weightChange(expert, by))),
    )
  }
  return parts.join('; ')
}
