import type { Configuration, Question } from '@pb-oel/protocol'
import { useMemo, useState } from 'preact/hooks'
import { ChannelGrid } from '../channels/channel-grid.tsx'
import { text } from '../strings/en.ts'
import type { ReviewSession } from './review-session.ts'
import { unusualFirst } from './unusual.ts'

const words = text.review
/** Channels shown until a reviewer asks for all. */
const FEW = 6

interface SurroundingsProps {
  session: ReviewSession
  question: Question
  configuration: Configuration
}

/** The channels around the moment of a question, the most unusual first. */
export function Surroundings({ session, question, configuration }: SurroundingsProps) {
  const [all, setAll] = useState(false)
  const context = session.context.value
  const order = useMemo(() => (context ? unusualFirst(context.ring, question.time) : []), [context, question])
  const shown = all ? order : order.slice(0, FEW)
  return (
    <section class="card around" aria-labelledby="around-title">
      <header class="card-head">
        <h3 id="around-title">{words.channels}</h3>
        <span class="muted">{words.unusual}</span>
        {configuration.channels.length > FEW && (
          <button type="button" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? words.showFew : words.showAll(configuration.channels.length)}
          </button>
        )}
      </header>
      {context && (
        <ChannelGrid {...{ configuration, shown }} samples={context} group="review" moment={question.time} large />
      )}
    </section>
  )
}
