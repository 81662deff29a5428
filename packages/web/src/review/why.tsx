import type { Question, QueueWeights } from '@pb-oel/protocol'
import { Confidence } from '../level/confidence.tsx'
import { Support } from '../level/support.tsx'
import { Votes } from '../level/votes.tsx'
import { text } from '../strings/en.ts'
import { percent } from '../strings/format.ts'

const words = text.review

interface WhyProps {
  question: Question
  names: readonly string[]
  /** How much each reason counts in this system. */
  weights: QueueWeights
}

/** Why a question is asked, and what stood behind the assessment. */
export function Why({ question, names, weights }: WhyProps) {
  return (
    <section class="card why" aria-labelledby="why-title">
      <h3 id="why-title">{words.why}</h3>
      {question.trained ? (
        <>
          <MainReason question={question} weights={weights} />
          <dl class="pairs">
            <Confidence value={question.confidence} measured={question.rawConfidence !== undefined} />
          </dl>
          <Support values={question.probabilities} names={names} />
          <h3>{words.experts}</h3>
          <Votes experts={question.experts} names={names} label={words.votes} />
        </>
      ) : (
        <p>{text.untrained.why}</p>
      )}
    </section>
  )
}

const REASONS = ['uncertainty', 'disagreement', 'level', 'freshness'] as const satisfies readonly (keyof QueueWeights)[]

/** Why this question is asked: the strongest reason in words, and all of them as bars. */
function MainReason({ question, weights }: { question: Question; weights: QueueWeights }) {
  const { reasons } = question
  const main = REASONS.reduce((best, reason) =>
    weights[reason] * reasons[reason] > weights[best] * reasons[best] ? reason : best,
  )
  return (
    <>
      <p>{words.because[main]}</p>
      <dl class="bars without-numbers">
        {REASONS.map((reason) => (
          <div key={reason}>
            <dt>{words.reasons[reason]}</dt>
            <dd>
              <span class="bar" style={{ '--share': reasons[reason] }} />
              <span class="visually-hidden">{percent(reasons[reason], 0)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
