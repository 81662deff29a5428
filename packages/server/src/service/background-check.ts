import type { Service } from './service.ts'

/** Follows the chain of a system up to a record; rejects with the damage. */
export type VerifyChain = (system: string, through: number) => Promise<void>

/**
 * Looks through the part of each log that a start does not read: everything before the latest snapshot. Damage there
 * harms no state, but it must be known while there are back-ups without it.
 */
export async function checkLogs(service: Service, verify: VerifyChain, signal: AbortSignal): Promise<void> {
  for (const system of service.list()) {
    if (signal.aborted) return
    try {
      if (system.snapshotAt > 0) await verify(system.id, system.snapshotAt)
    } catch (error) {
      if (signal.aborted) return
      system.damage = (error as Error).message
      service.onDamage(system.damage, system.id)
    }
  }
}
