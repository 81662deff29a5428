import { JetStreamApiError } from '@nats-io/jetstream'
import { PbOelError } from '@pb-oel/core'
import { systemClock } from '../../clock/clock.ts'
import { StorageError } from '../../errors.ts'

/** Milliseconds a call goes on trying while the servers elect a leader; an election takes up to 10 s. */
const PATIENCE = 20_000

/**
 * Repeats a call that is safe to repeat until it succeeds. Throws a {@link StorageError} after {@link PATIENCE}, and at
 * once when a server refuses for good.
 */
export async function patiently<T>(what: string, call: () => Promise<T>, patience = PATIENCE): Promise<T> {
  const end = systemClock.monotonic() + patience
  for (let wait = 20; ; wait = Math.min(500, 2 * wait)) {
    try {
      return await call()
    } catch (error) {
      if (error instanceof PbOelError) throw error
      if (!isPassing(error as Error)) throw asStorageError(what, error as Error)
      if (systemClock.monotonic() + wait > end) throw asStorageError(what, error as Error)
    }
    await systemClock.pause(wait)
  }
}

/** Whether an error may pass: no leader, no connection, no answer. A server's own decisions do not pass. */
export function isPassing(error: Error): boolean {
  if (error instanceof JetStreamApiError) return error.status >= 500
  return /Timeout|NoResponders|RequestError|^ConnectionError|JetStreamNotEnabled|JetStreamError|JetStreamStatus/.test(
    error.name,
  )
}

/** Whether another writer was faster. By its words: newer servers have a second code for it. */
export function isWrongSequence(error: unknown): boolean {
  return error instanceof JetStreamApiError && /wrong last sequence/.test(error.message)
}

function asStorageError(what: string, error: Error): StorageError {
  return new StorageError(`${what}: ${error.message}`)
}
