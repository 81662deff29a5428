import { text } from '../strings/en.ts'
import type { ChannelDraft } from './draft.ts'

const words = text.create.columns

/** Unit and plausible values of a channel, as cells of a row. */
export function ChannelCells({
  channel,
  onChange,
}: {
  channel: ChannelDraft
  onChange: (part: Partial<ChannelDraft>) => void
}) {
  const { name, unit, min, max } = channel
  const number = (side: 'min' | 'max', value: string, label: string) => (
    <td>
      <input
        type="number"
        step="any"
        aria-label={label}
        value={value}
        onChange={({ currentTarget }) => onChange({ [side]: currentTarget.value })}
      />
    </td>
  )
  return (
    <>
      <td>
        <input
          aria-label={words.unitOf(name)}
          maxLength={30}
          value={unit}
          onChange={({ currentTarget }) => onChange({ unit: currentTarget.value })}
        />
      </td>
      {number('min', min, words.minOf(name))}
      {number('max', max, words.maxOf(name))}
    </>
  )
}

/** The heads of the same cells. */
export function ChannelHeads() {
  return (
    <>
      <th scope="col">{words.unit}</th>
      <th scope="col">{words.min}</th>
      <th scope="col">{words.max}</th>
    </>
  )
}
