import type { Configuration, Explanation } from '@pb-oel/protocol'
import { Help } from '../chrome/help.tsx'
import { levelTone } from '../level/tone.ts'
import { text } from '../strings/en.ts'
import { channelName, duration, percent, withUnit } from '../strings/format.ts'
import type { Explained } from './explained.ts'

const words = text.why
/** Channels shown. */
const FEW = 5
/** Below this lead over the reference the channels say little. */
const LITTLE = 0.1

interface ReasonsProps {
  explained: Explained
  configuration: Pick<Configuration, 'levels' | 'units' | 'channels'>
}

/** Why a level: the channels that speak for it most, with what they are and what they usually are. */
export function Reasons({ explained, configuration }: ReasonsProps) {
  const { explanation, problem } = explained
  if (problem !== undefined) return <p class="muted small">{words.none(problem)}</p>
  if (!explanation) return <div class="skeleton reasons-waiting" role="status" aria-label={words.waiting} />
  const { levels } = configuration
  const { level, against, channels, compared, lead, referenceLead } = explanation
  const little = lead - referenceLead < LITTLE
  return (
    <div class="reasons">
      <p>
        {compared === 'other-level'
          ? words.lead(levels[level], levels[against])
          : words.leadRecent(levels[level], levels[against])}{' '}
        <Help about={words.about}>{details(explanation, levels)}</Help>
      </p>
      {little && <p class="muted small">{words.little}</p>}
      {!little && (
        <ol class="reason-list">
          {channels.slice(0, FEW).map((reason) => (
            <Reason key={reason.channel} {...{ reason, configuration, tone: levelTone(level, levels.length) }} />
          ))}
        </ol>
      )}
    </div>
  )
}

interface ReasonProps {
  reason: Explanation['channels'][number]
  configuration: Pick<Configuration, 'units'>
  tone: number
}

function Reason({ reason, configuration, tone }: ReasonProps) {
  const { channel, share, value, usual } = reason
  const unit = configuration.units?.[channel]
  return (
    <li>
      <span class="reason-name">{channelName(channel)}</span>
      <span class={`bar tone-${tone}`} style={{ '--share': share }} />
      <span class="number">{percent(share, 0)}</span>
      <span class="muted small number reason-values">{words.values(withUnit(value, unit), withUnit(usual, unit))}</span>
    </li>
  )
}

function details({ window, reference, model, against, compared }: Explanation, levels: readonly string[]): string {
  const length = duration(Math.max(0, window.to - window.from) / 1000)
  return [
    words.how,
    words.window(window.samples, length),
    compared === 'other-level'
      ? words.reference(reference.samples, levels[against])
      : words.referenceRecent(reference.samples),
    model === 'present' ? words.present : words.former,
  ].join(' ')
}
