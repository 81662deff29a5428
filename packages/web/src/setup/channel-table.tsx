import { Icon } from '../chrome/icon.tsx'
import { TableRegion } from '../forms/table-region.tsx'
import { text } from '../strings/en.ts'
import { ChannelCells, ChannelHeads } from './channel-cells.tsx'
import { type ChannelDraft, change, draft, emptyChannel } from './draft.ts'

const words = text.create.columns

/** Channels as they are typed: name, unit, plausible values. */
export function ChannelTable() {
  const { channels } = draft.value
  const set = (place: number, part: Partial<ChannelDraft>) =>
    change({ channels: channels.map((one, i) => (i === place ? { ...one, ...part } : one)) })
  return (
    <>
      <TableRegion
        label={words.channelsRegion}
        head={
          <>
            <th scope="col">{words.channel}</th>
            <ChannelHeads />
            <td />
          </>
        }
      >
        {channels.map((channel, i) => (
          <tr key={i}>
            <td>
              <input
                aria-label={words.nameOf(i + 1)}
                maxLength={100}
                value={channel.name}
                onInput={({ currentTarget }) => set(i, { name: currentTarget.value })}
              />
            </td>
            <ChannelCells channel={channel} onChange={(part) => set(i, part)} />
            <td>
              <button
                type="button"
                class="ghost"
                disabled={channels.length === 1}
                aria-label={words.remove(channel.name || words.nameOf(i + 1))}
                onClick={() => change({ channels: channels.filter((_, place) => place !== i) })}
              >
                <Icon name="cross" />
              </button>
            </td>
          </tr>
        ))}
      </TableRegion>
      <div class="row">
        <button type="button" onClick={() => change({ channels: [...channels, emptyChannel()] })}>
          <Icon name="plus" /> {words.add}
        </button>
      </div>
      <p class="hint">{words.rangeHint}</p>
    </>
  )
}
