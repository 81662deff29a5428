import { hash } from 'node:crypto'
import type { Extensions } from '@pb-oel/core'
import { decodeBody } from '@pb-oel/protocol'
import { ChainError, NotFound } from '../errors.ts'
import { SystemFold } from '../fold/system-fold.ts'
import { ChainVerifier } from '../log/chain.ts'
import type { LogReader, Snapshot } from '../log/event-log.ts'
import type { StoredRecord } from '../log/record.ts'
import { Replayer } from './replayer.ts'

/** Records read at once: few enough that a server replaying in its only thread still answers in between. */
const PAGE = 200

/** Where to begin and where to end a {@link rebuild}. */
export interface RebuildOptions {
  /** State after this record; the end of the log when left out. */
  at?: number
  /** Begin at the first record that is kept, whatever snapshots there are. */
  fromStart?: boolean
  /** Told the place of the snapshot it begins with. */
  onSnapshot?: (sequence: number) => void
  /** Methods, detectors and learners from outside that the system may use. */
  extensions?: Extensions
  /** Sees every record after it was replayed. */
  onRecord?: (record: StoredRecord, fold: SystemFold) => void
}

/**
 * A system from its log: the latest snapshot, then every record behind it, with the chain verified and every recorded
 * assessment compared bit for bit. A {@link ChainError} or {@link ReplayDifference} names the first one that differs.
 */
export async function rebuild(log: LogReader, system: string, options: RebuildOptions = {}): Promise<SystemFold> {
  const extent = await log.extent(system)
  if (!extent) throw new NotFound(`there is no system ${system}`)
  const { at = extent.last, fromStart = false, extensions, onRecord } = options
  const compacted = extent.first > 1
  if (at > extent.last) throw new NotFound(`the log of ${system} ends at record ${extent.last}`)
  if (at < extent.first - 1)
    throw new NotFound(`the log of ${system} was compacted; it begins at record ${extent.first}`)

  const snapshot = fromStart
    ? compacted
      ? await log.snapshot(system, extent.first - 1)
      : undefined
    : await log.snapshot(system, at)
  if (!snapshot && compacted) throw new ChainError(system, extent.first - 1, 'was removed, and no snapshot replaces it')
  if (snapshot) options.onSnapshot?.(snapshot.sequence)
  const state = snapshot && (await checkedState(log, system, snapshot, extent.last))
  const replayer = new Replayer(system, state && SystemFold.load(state, extensions), extensions)
  const chain = new ChainVerifier(system, snapshot)
  for (let from = (snapshot?.sequence ?? 0) + 1; from <= at; ) {
    const records = await log.read(system, { from, to: at, limit: PAGE })
    if (records.length === 0) throw new ChainError(system, from, 'is missing')
    for (const record of records) {
      chain.check(record)
      replayer.feed(record)
      onRecord?.(record, replayer.fold as SystemFold)
    }
    from += records.length
  }
  return replayer.fold as SystemFold
}

/** The state of a snapshot, compared with the hash that its record in the chain holds. */
async function checkedState(
  log: LogReader,
  system: string,
  { sequence, bytes }: Snapshot,
  last: number,
): Promise<Uint8Array> {
  const marks = await log.read(system, { from: sequence + 1, to: Math.min(sequence + 1, last), kinds: ['snapshot'] })
  const recorded = marks.length === 1 ? decodeBody('snapshot', marks[0].body, []).body.sha256 : undefined
  if (recorded !== hash('sha256', bytes)) {
    throw new ChainError(system, sequence, 'has a snapshot that does not match the hash recorded for it')
  }
  return bytes
}
