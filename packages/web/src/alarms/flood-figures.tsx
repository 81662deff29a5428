import type { FloodFigures } from '@pb-oel/protocol'
import { alarmText, nameOf } from '../strings/alarms.ts'
import { count, duration } from '../strings/format.ts'

const words = alarmText.figures

/** How many alarms people have to bear (ISA-18.2). */
export function Flood({ figures }: { figures: FloodFigures }) {
  const { lastTenMinutes, flood, mostInTenMinutes, lastDay, standing, longestStanding, chattering } = figures
  return (
    <section class="card flood" aria-labelledby="flood-title">
      <h2 id="flood-title">{words.heading}</h2>
      <dl class="pairs">
        <Figure name={words.tenMinutes} value={count(lastTenMinutes)} warn={flood} />
        <Figure name={words.worst} value={count(mostInTenMinutes)} />
        <Figure name={words.day} value={count(lastDay)} />
        <Figure name={words.standing} value={count(standing)} />
        <Figure
          name={words.longest}
          value={longestStanding ? duration(longestStanding.seconds) : '–'}
          hint={longestStanding && `${longestStanding.title}, ${nameOf(longestStanding.about)}`}
        />
        <Figure
          name={words.chattering}
          value={chattering.length === 0 ? words.chatteringNone : count(chattering.length)}
          hint={chattering.map(({ title, about, count }) => `${title}, ${nameOf(about)}: ${count}`).join('; ')}
          warn={chattering.length > 0}
        />
      </dl>
      <p class={flood ? 'problem small' : 'muted small'}>{flood ? words.flood : words.bearable}</p>
    </section>
  )
}

function Figure({ name, value, hint, warn }: { name: string; value: string; hint?: string; warn?: boolean }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={`number ${warn ? 'warn' : ''}`}>{value}</dd>
      {hint && <dd class="muted small hint">{hint}</dd>}
    </div>
  )
}
