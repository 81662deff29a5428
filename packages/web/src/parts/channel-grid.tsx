import { ChannelPlot, type Samples } from '../charts/channel-plot.tsx'
import { text } from '../strings/en.ts'

interface ChannelGridProps {
  names: readonly string[]
  shown: readonly number[]
  samples: Samples
  group: string
  moment?: number
  onSelect?: (from: number, to: number) => void
  held?: readonly string[]
  /** Higher charts with a time axis. */
  large?: boolean
}

/** Channels side by side, each on its own scale, with one cross-hair. */
export function ChannelGrid({
  names,
  shown,
  samples,
  group,
  moment,
  onSelect,
  held = [],
  large = false,
}: ChannelGridProps) {
  return (
    <div class="channels">
      {shown.map((channel) => (
        <ChannelPlot
          key={names[channel]}
          name={names[channel]}
          channel={channel}
          samples={samples}
          group={group}
          height={large ? 110 : undefined}
          axis={large}
          moment={moment}
          onSelect={onSelect}
          note={held.includes(names[channel]) ? text.live.held : undefined}
        />
      ))}
    </div>
  )
}
