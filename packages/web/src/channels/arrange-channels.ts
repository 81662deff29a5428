import { channelName } from '../strings/format.ts'

/** Orders of channels: as configured, by what they contribute to the level, or by name. */
export const CHANNEL_ORDERS = ['given', 'why', 'name'] as const
type ChannelOrder = (typeof CHANNEL_ORDERS)[number]

/** How channels are arranged. */
export interface ChannelArrangement {
  /** Words that a name must hold. */
  search: string
  order: ChannelOrder
  /** Channels of one family stand together. */
  grouped: boolean
  /** All channels, the one that contributes most first. */
  rank: readonly number[]
}

/** Channels under a heading, which is empty where there is none. */
export interface ChannelGroup {
  title: string
  channels: number[]
}

/** The channels that match, in order, in groups. Those without a family come last. */
export function arrangeChannels(
  names: readonly string[],
  shown: readonly number[],
  { search, order, grouped, rank }: ChannelArrangement,
): ChannelGroup[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = shown.filter((channel) => {
    const words = `${names[channel]} ${channelName(names[channel])}`.toLowerCase()
    return wanted.every((word) => words.includes(word))
  })
  const places = new Map(rank.map((channel, place) => [channel, place]))
  const place = (channel: number) => places.get(channel) ?? names.length
  const compare = (a: number, b: number) => {
    if (order === 'why') return place(a) - place(b) || a - b
    return order === 'name' ? names[a].localeCompare(names[b], 'en', { numeric: true }) : a - b
  }
  const sorted = [...found].sort(compare)
  if (!grouped) return sorted.length === 0 ? [] : [{ title: '', channels: sorted }]
  const families = familiesOf(names)
  const groups = new Map<string, number[]>()
  for (const channel of sorted) {
    const title = families.get(names[channel]) ?? ''
    groups.set(title, [...(groups.get(title) ?? []), channel])
  }
  const all = [...groups].map(([title, channels]) => ({ title, channels }))
  return [...all.filter(({ title }) => title !== ''), ...all.filter(({ title }) => title === '')]
}

/** The family of each channel: the first word of its name, where another channel has it, too. */
function familiesOf(names: readonly string[]): Map<string, string> {
  const first = (name: string) => name.split(/[_./\s-]/)[0]
  const counts = new Map<string, number>()
  for (const name of names) counts.set(first(name), (counts.get(first(name)) ?? 0) + 1)
  return new Map(names.filter((name) => (counts.get(first(name)) ?? 0) > 1).map((name) => [name, first(name)]))
}
