import type { Samples } from '../charts/samples.ts'
import type { OnSelect } from '../charts/select.ts'
import { text } from '../strings/en.ts'
import { ChannelPlot } from './channel-plot.tsx'

interface ChannelGridProps {
  names: readonly string[]
  shown: readonly number[]
  samples: Samples
  group: string
  moment?: number
  onSelect?: OnSelect
  held?: readonly string[]
  /** Higher charts with a time axis. */
  large?: boolean
}

/** Channels side by side. Each has a scale of its own; all share one cross-hair. */
export function ChannelGrid({ names, shown, held = [], large = false, ...rest }: ChannelGridProps) {
  return (
    <div class="channels">
      {shown.map((channel) => (
        <ChannelPlot
          key={names[channel]}
          name={names[channel]}
          channel={channel}
          height={large ? 110 : undefined}
          axis={large}
          note={held.includes(names[channel]) ? text.live.held : undefined}
          {...rest}
        />
      ))}
    </div>
  )
}
