import type { Clock } from '../clock/clock.ts'
import type { BridgeOutcome } from '../metrics/metrics.ts'
import type { Intake } from './intake.ts'

/** A bridge that runs. */
export interface Bridge {
  /** Ends after what is under way; the source keeps what was not acknowledged. */
  stop(): Promise<void>
}

/** What a bridge works with. */
export interface BridgeContext {
  name: string
  intake: Intake
  clock: Clock
  count: (outcome: BridgeOutcome, number?: number) => void
  /** So many more readings have come that are not on disk yet, or so many fewer. */
  waiting: (change: number) => void
  /** Whether the source can be reached, and why not. */
  connected: (connected: boolean, reason?: string) => void
  warn: (fields: object, text: string) => void
}
