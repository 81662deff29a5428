import { useState } from 'preact/hooks'
import { text } from '../strings/en.ts'
import { arrangeChannels } from './arrange-channels.ts'
import { ChannelGrid, type ChannelGridProps } from './channel-grid.tsx'
import { channelArrangement } from './channel-tools.tsx'

const words = text.channels
/** Charts shown until a person asks for all. */
const MOST = 48

interface ArrangedChannelsProps extends ChannelGridProps {
  /** All channels, the one that contributes most to the level first. */
  rank: readonly number[]
}

/** Channels as the address arranges them: searched, ordered, in groups. Of very many, the first ones. */
export function ArrangedChannels({ rank, shown, ...rest }: ArrangedChannelsProps) {
  const [all, setAll] = useState(false)
  const { channels } = rest.configuration
  const groups = arrangeChannels(channels, shown, { ...channelArrangement(), rank })
  const found = groups.reduce((sum, group) => sum + group.channels.length, 0)
  let room = all ? found : MOST
  const fitting = groups.map(({ title, channels: members }) => {
    const part = members.slice(0, room)
    room -= part.length
    return { title, part }
  })
  return (
    <>
      {found === 0 && shown.length > 0 && <p class="muted">{words.noneFound}</p>}
      {fitting
        .filter(({ part }) => part.length > 0)
        .map(({ title, part }) => (
          <section key={title} class="channel-group" aria-label={title || text.live.channels}>
            {groups.length > 1 && <h3>{title || words.others}</h3>}
            <ChannelGrid {...rest} shown={part} />
          </section>
        ))}
      {found > MOST && (
        <button type="button" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? words.fewer(MOST) : words.all(found)}
        </button>
      )}
    </>
  )
}
