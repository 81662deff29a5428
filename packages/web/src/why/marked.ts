import type { Explanation } from '@pb-oel/protocol'
import { text } from '../strings/en.ts'
import { percent } from '../strings/format.ts'

/** A channel with less than this share of what speaks for a level is not pointed out. */
const LEAST = 0.1
const MOST = 3

/** The channels that the charts point out, each with its words. */
export function markedChannels(
  explanation: Explanation | undefined,
  channels: readonly string[],
): ReadonlyMap<number, string> {
  const marked = (explanation?.channels ?? []).slice(0, MOST).filter(({ share }) => share >= LEAST)
  return new Map(
    marked.map(({ channel, share }) => [channels.indexOf(channel), text.why.mark(percent(share, 0))] as const),
  )
}

/** The channels in the order of what they contribute; those that the explanation does not know come last. */
export function byContribution(explanation: Explanation | undefined, channels: readonly string[]): number[] {
  const rank = new Map((explanation?.channels ?? []).map(({ channel }, i) => [channel, i]))
  return channels
    .map((_, i) => i)
    .sort((a, b) => (rank.get(channels[a]) ?? channels.length) - (rank.get(channels[b]) ?? channels.length) || a - b)
}
