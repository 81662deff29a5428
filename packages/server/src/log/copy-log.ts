import { ChainError, Conflict } from '../errors.ts'
import type { EventLog, LogReader } from './event-log.ts'

/** What was copied of one system. */
export interface CopiedSystem {
  system: string
  /** First and last record. */
  from: number
  to: number
}

const PAGE = 500

/**
 * Copies all systems of a log to another one that has none of them: from one kind of store to the other, or to an
 * archive. Each system is copied up to where it ends when its turn comes. The chain of the copy is computed anew: it
 * must be equal.
 */
export async function copyLog(
  from: LogReader,
  to: EventLog,
  onSystem: (copied: CopiedSystem) => void = () => {},
): Promise<void> {
  const present = new Set(await to.systems())
  const systems = await from.systems()
  const double = systems.find((system) => present.has(system))
  if (double !== undefined) throw new Conflict(`the target has a system ${double} already`)
  for (const system of systems) onSystem(await copySystem(from, to, system))
}

async function copySystem(from: LogReader, to: EventLog, system: string): Promise<CopiedSystem> {
  const extent = await from.extent(system)
  if (!extent) return { system, from: 1, to: 0 }
  const { first, before, last } = extent
  // A compacted log begins with a state. The latest state spares the next start a long replay.
  const states = [await from.snapshot(system, first - 1), await from.snapshot(system, last - 1)]
  if (first > 1) await to.begin(system, first - 1, before)
  let hash = before
  for (let next = first; next <= last; ) {
    const state = states.find((state) => state?.sequence === next - 1)
    const cut = states.find((state) => state && state.sequence >= next)?.sequence ?? last
    const records = await from.read(system, { from: next, to: cut, limit: PAGE })
    if (records.length === 0) throw new ChainError(system, next, 'is missing')
    await to.append(system, next, records, state && { sequence: state.sequence, bytes: state.bytes })
    next += records.length
    hash = (records.at(-1) as { hash: string }).hash
  }
  const copy = await to.extent(system)
  if (copy?.hash !== hash) throw new ChainError(system, last, 'does not match its hash; this log was changed')
  return { system, from: first, to: last }
}
