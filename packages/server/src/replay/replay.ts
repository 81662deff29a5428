import type { Extensions } from '@pb-oel/core'
import { ChainError, ReplayDifference } from '../errors.ts'
import type { SystemFold } from '../fold/system-fold.ts'
import { ChainVerifier } from '../log/chain.ts'
import type { LogReader } from '../log/event-log.ts'
import { SERVER_LOG } from '../log/record.ts'
import { rebuild } from './recover.ts'

/** What the replay of a system found. */
export interface ReplayReport {
  system: string
  /** First and last record replayed. */
  from: number
  to: number
  /** Assessments compared bit for bit. */
  assessments: number
  /** The first record that is not what it should be; absent when all are. */
  difference?: { sequence: number; message: string }
  /** SHA-256 of the state at the end; absent with a difference. */
  stateHash?: string
  /** The state at the end. */
  fold?: SystemFold
}

/**
 * Rebuilds a system from the first record that is kept, verifying the chain and comparing every recorded assessment.
 *
 * @param at stop after this record; the end of the log when left out
 * @param extensions methods, detectors and learners from outside that the system may use
 */
export async function replaySystem(
  log: LogReader,
  system: string,
  at?: number,
  extensions?: Extensions,
): Promise<ReplayReport> {
  const extent = await log.extent(system)
  const report: ReplayReport = { system, from: extent?.first ?? 1, to: at ?? extent?.last ?? 0, assessments: 0 }
  try {
    const fold = await rebuild(log, system, {
      at,
      extensions,
      fromStart: true,
      onRecord: ({ kind }) => {
        if (kind === 'assessment') report.assessments++
      },
    })
    return { ...report, stateHash: fold.stateHash(), fold }
  } catch (error) {
    if (!(error instanceof ChainError || error instanceof ReplayDifference)) throw error
    return { ...report, difference: { sequence: error.sequence, message: error.message } }
  }
}

/** Verifies the chain of the server's own log: who made which token. */
export async function verifyServerLog(log: LogReader): Promise<ChainError | undefined> {
  const chain = new ChainVerifier(SERVER_LOG)
  try {
    for (let from = 1; ; ) {
      const records = await log.read(SERVER_LOG, { from })
      if (records.length === 0) return undefined
      for (const record of records) chain.check(record)
      from += records.length
    }
  } catch (error) {
    if (error instanceof ChainError) return error
    throw error
  }
}
