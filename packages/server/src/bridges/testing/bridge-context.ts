import { SimulatedClock } from '../../clock/testing/simulated-clock.ts'
import type { BridgeOutcome } from '../../metrics/metrics.ts'
import type { BridgeContext } from '../bridge.ts'
import type { Intake } from '../intake.ts'

/** What a bridge works with on a simulated clock, and what it has told so far. */
export function bridgeContext(intake: Intake, name = 'bus') {
  const told = { outcomes: [] as BridgeOutcome[], waiting: 0, connected: [] as string[], warnings: [] as string[] }
  const clock = new SimulatedClock()
  const context: BridgeContext = {
    ...{ name, intake, clock },
    count: (outcome, number = 1) => told.outcomes.push(...Array<BridgeOutcome>(number).fill(outcome)),
    waiting: (change) => (told.waiting += change),
    connected: (connected, reason = '') => told.connected.push(`${connected} ${reason}`.trim()),
    warn: (fields, text) => told.warnings.push(`${text}: ${(fields as { reason?: string }).reason}`),
  }
  return { context, clock, told }
}
