import type { Configuration, Question } from '@pb-oel/protocol'
import { useMemo, useState } from 'preact/hooks'
import { ChannelGrid } from '../channels/channel-grid.tsx'
import { text } from '../strings/en.ts'
import { useExplanation } from '../why/explained.ts'
import { byContribution, markedChannels } from '../why/marked.ts'
import type { ReviewSession } from './review-session.ts'
import { unusualFirst } from './unusual.ts'

const words = text.review
/** Channels shown until a reviewer asks for all. */
const FEW = 6

interface SurroundingsProps {
  session: ReviewSession
  question: Question
  system: string
  configuration: Configuration
}

/** The channels around the moment of a question, the most unusual first. */
export function Surroundings({ session, question, system, configuration }: SurroundingsProps) {
  const [all, setAll] = useState(false)
  const context = session.context.value
  const { channels } = configuration
  const { explanation } = useExplanation(system, question.assessment).value
  const order = useMemo(() => {
    if (explanation) return byContribution(explanation, channels)
    const units = channels.map((name) => configuration.units?.[name])
    return context ? unusualFirst(context.ring, question.time, units) : []
  }, [context, question, explanation, configuration])
  const shown = all ? order : order.slice(0, FEW)
  return (
    <section class="card around" aria-labelledby="around-title">
      <header class="card-head">
        <h3 id="around-title">{words.channels}</h3>
        <span class="muted">{explanation ? words.contributing : words.unusual}</span>
        {configuration.channels.length > FEW && (
          <button type="button" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? words.showFew : words.showAll(configuration.channels.length)}
          </button>
        )}
      </header>
      {context && (
        <ChannelGrid
          {...{ configuration, shown, marked: markedChannels(explanation, channels) }}
          samples={context}
          group="review"
          moment={question.time}
          large
        />
      )}
    </section>
  )
}
