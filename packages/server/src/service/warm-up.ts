import { decodeBody, type NewChannel } from '@pb-oel/protocol'
import type { EventLog } from '../log/event-log.ts'
import { answered } from '../views/answered.ts'
import type { LiveSystem } from './live-system.ts'

/** Most answered samples that a wider model begins with, and most numbers in them. */
const WARM_UP = 200
const WARM_UP_NUMBERS = 200_000

/** The latest answered samples of a system, widened by a channel: what its next model begins with. */
export async function widenedWarmUp(log: EventLog, system: LiveSystem, { usual }: NewChannel) {
  const width = system.channels.length + 1
  const most = Math.max(1, Math.min(WARM_UP, Math.floor(WARM_UP_NUMBERS / width)))
  const told = await system.read(answered(most))
  const numbers = told.map(({ sequence }) => sequence)
  const records = await log.pick(system.id, numbers)
  const levels = new Map(told.map(({ sequence, level }) => [sequence, level]))
  return records.map(({ sequence, body }) => {
    const { values } = decodeBody('sample', body, system.channels).body
    return { x: [...values, usual], level: levels.get(sequence) as number }
  })
}
