import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Extensions } from '@pb-oel/core'
import { decodeBody } from '@pb-oel/protocol'
import { ChainError, NotFound } from '../errors.ts'
import { SystemFold } from '../fold/system-fold.ts'
import { ChainVerifier } from '../log/chain.ts'
import type { LogExtent, LogReader, Snapshot } from '../log/event-log.ts'
import type { StoredRecord } from '../log/record.ts'
import { PAST_CHANGES, runWithout } from './exclusions.ts'
import { checkConfiguration } from './later-release.ts'
import { Replayer } from './replayer.ts'

/** Records read at once: each reading of a log in a cluster costs its servers some agreement among themselves. */
const PAGE = 4_000
/** Records replayed at once: few enough that a server replaying in its only thread still answers in between. */
const TURN = 100

/** Where to begin and where to end a {@link rebuild}. */
export interface RebuildOptions {
  /** State after this record; the end of the log when left out. */
  at?: number
  /** Begin at the first record that is kept, whatever snapshots there are. */
  fromStart?: boolean
  /** Told the place of the snapshot it begins with. */
  onSnapshot?: (sequence: number) => void
  /** Told of each snapshot that is damaged and therefore left out. */
  onDamage?: (error: ChainError) => void
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
  if (at > extent.last) throw new NotFound(`the log of ${system} ends at record ${extent.last}`)
  if (at < extent.first - 1)
    throw new NotFound(`the log of ${system} was compacted; it begins at record ${extent.first}`)

  const start = await startingPoint(log, system, { atMost: fromStart ? extent.first - 1 : at, at, extent, options })
  const { snapshot, behind } = start
  if (snapshot) options.onSnapshot?.(snapshot.sequence)
  if (start.fold) checkConfiguration(system, start.fold.sequence, start.fold.configuration)
  const replayer = new Replayer(system, start.fold, extensions)
  const chain = new ChainVerifier(system, snapshot)
  for (let from = (snapshot?.sequence ?? 0) + 1, first = behind; from <= at; first = undefined) {
    const records = first ?? (await log.read(system, { from, to: at, limit: PAGE }))
    if (records.length === 0) throw new ChainError(system, from, 'is missing')
    for (const [i, record] of records.entries()) {
      if (i % TURN === TURN - 1) await setImmediate()
      chain.check(record)
      replayer.feed(record)
      if (PAST_CHANGES.includes(record.kind)) {
        const { onDamage } = options
        replayer.fold?.adopt(
          await runWithout(log, system, record, (at) => rebuild(log, system, { at, extensions, onDamage })),
        )
      }
      onRecord?.(record, replayer.fold as SystemFold)
    }
    from += records.length
  }
  return replayer.fold as SystemFold
}

/** The latest state that is intact and the first records behind it, or nothing where the log has its beginning. */
async function startingPoint(
  log: LogReader,
  system: string,
  { atMost, at, extent, options }: { atMost: number; at: number; extent: LogExtent; options: RebuildOptions },
): Promise<{ snapshot?: Snapshot; fold?: SystemFold; behind?: StoredRecord[] }> {
  let damage: ChainError | undefined
  for (let limit = atMost; limit >= extent.first - 1 && limit > 0; ) {
    const snapshot = await log.snapshot(system, limit)
    if (!snapshot || snapshot.sequence < extent.first - 1) break
    // The record behind a state holds its hash, also where the caller wants no record behind it.
    const from = snapshot.sequence + 1
    const behind = await log.read(system, { from, to: Math.min(Math.max(at, from), extent.last), limit: PAGE })
    try {
      checkState(system, snapshot, behind)
      return { snapshot, behind, fold: SystemFold.load(snapshot.bytes, options.extensions) }
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      // An earlier one will do, and so will the log itself.
      damage = error
      options.onDamage?.(error)
      limit = snapshot.sequence - 1
    }
  }
  if (extent.first === 1) return {}
  throw damage ?? new ChainError(system, extent.first - 1, 'was removed, and no snapshot replaces it')
}

/** Compares a state with the hash that the record behind it holds. */
function checkState(system: string, { sequence, bytes }: Snapshot, [mark]: readonly StoredRecord[]): void {
  const recorded = mark?.kind === 'snapshot' ? decodeBody('snapshot', mark.body, []).body.sha256 : undefined
  if (recorded !== hash('sha256', bytes)) {
    throw new ChainError(system, sequence, 'has a snapshot that does not match the hash recorded for it')
  }
}

/**
 * Follows the chain up to a record without computing anything; a {@link ChainError} names the first that is damaged.
 */
export async function verifyChain(log: LogReader, system: string, through: number): Promise<void> {
  const extent = await log.extent(system)
  if (!extent) return
  const chain = new ChainVerifier(system, { sequence: extent.first - 1, hash: extent.before })
  for (let from = extent.first; from <= through; ) {
    const records = await log.read(system, { from, to: through, limit: PAGE })
    if (records.length === 0) throw new ChainError(system, from, 'is missing')
    for (const [i, record] of records.entries()) {
      if (i % TURN === TURN - 1) await setImmediate()
      chain.check(record)
    }
    from += records.length
  }
}
