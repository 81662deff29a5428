import type { Configuration } from '@pb-oel/protocol'
import type { Samples } from '../charts/samples.ts'
import type { OnSelect } from '../charts/select.ts'
import { text } from '../strings/en.ts'
import { ChannelPlot } from './channel-plot.tsx'

/** What a grid of channels shows. */
export interface ChannelGridProps {
  /** Names, units and ranges of the channels. */
  configuration: Pick<Configuration, 'channels' | 'units' | 'ranges'>
  shown: readonly number[]
  samples: Samples
  group: string
  moment?: number
  onSelect?: OnSelect
  held?: readonly string[]
  /** Channels that are pointed out, with the words that say why. */
  marked?: ReadonlyMap<number, string>
  /** Higher charts with a time axis. */
  large?: boolean
}

/** Channels side by side. Each has a scale of its own; all share one cross-hair. */
export function ChannelGrid({ configuration, shown, held = [], marked, large = false, ...rest }: ChannelGridProps) {
  const { channels, units = {}, ranges = {} } = configuration
  return (
    <div class="channels">
      {shown.map((channel) => {
        const name = channels[channel]
        return (
          <ChannelPlot
            key={name}
            {...{ name, channel, unit: units[name], range: ranges[name] }}
            height={large ? 110 : undefined}
            axis={large}
            note={held.includes(name) ? text.live.held : undefined}
            reason={marked?.get(channel)}
            {...rest}
          />
        )
      })}
    </div>
  )
}
