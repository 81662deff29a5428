import type { ChannelRange } from '@pb-oel/protocol'
import { TableRegion } from '../forms/table-region.tsx'
import { ChannelCells, ChannelHeads } from '../setup/channel-cells.tsx'
import type { ChannelDraft } from '../setup/draft.ts'
import { text } from '../strings/en.ts'
import type { PartProps } from './settings.tsx'

const words = text.create.columns

/** Units and plausible values of the channels. */
export function ChannelSettings({ configuration, change, set }: PartProps) {
  const shown = (name: string): ChannelDraft => {
    const unit = change.units?.[name] === undefined ? configuration.units?.[name] : change.units[name]
    const range = rangeOf(name)
    return { name, unit: unit ?? '', min: String(range?.min ?? ''), max: String(range?.max ?? '') }
  }
  const rangeOf = (name: string): ChannelRange | null | undefined =>
    change.ranges?.[name] === undefined ? configuration.ranges?.[name] : change.ranges[name]
  const take = (name: string, part: Partial<ChannelDraft>) => {
    if (part.unit !== undefined) set({ units: { ...change.units, [name]: part.unit.trim() || null } })
    if (part.min === undefined && part.max === undefined) return
    const { min, max } = { ...shown(name), ...part }
    const limits = { ...(min !== '' && { min: Number(min) }), ...(max !== '' && { max: Number(max) }) }
    const none = min === '' && max === ''
    const { action = 'flag' } = rangeOf(name) ?? {}
    set({ ranges: { ...change.ranges, [name]: none ? null : { ...limits, action } } })
  }
  return (
    <section class="card" aria-labelledby="channels-title">
      <h2 id="channels-title">{text.settings.channels}</h2>
      <TableRegion
        label={words.channelsRegion}
        head={
          <>
            <th scope="col">{words.channel}</th>
            <ChannelHeads />
          </>
        }
      >
        {configuration.channels.map((name) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <ChannelCells channel={shown(name)} onChange={(part) => take(name, part)} />
          </tr>
        ))}
      </TableRegion>
      <p class="hint">{words.rangeHint}</p>
    </section>
  )
}
