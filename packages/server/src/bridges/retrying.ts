import type { Bridge, BridgeContext } from './bridge.ts'

/** Milliseconds until the first attempt after a loss, and at most. */
const [FIRST_RETRY, LAST_RETRY] = [500, 30_000]

/**
 * A bridge that connects again and again.
 *
 * @param connection one connection from its beginning, which it tells, to its loss, which it rejects with
 * @param end called when the bridge ends, before the connection has
 */
export function retrying(
  { clock, connected }: BridgeContext,
  connection: (begun: () => void, signal: AbortSignal) => Promise<void>,
  end: () => void,
): Bridge {
  const ending = new AbortController()
  const { signal } = ending
  const run = async () => {
    for (let attempts = 0; !signal.aborted; attempts++) {
      const begun = () => {
        attempts = 0
        connected(true)
      }
      await connection(begun, signal).catch((error: Error) => {
        if (!signal.aborted) connected(false, error.message)
      })
      connected(false)
      await clock.pause(Math.min(LAST_RETRY, FIRST_RETRY * 2 ** Math.min(attempts, 6)), signal)
    }
  }
  const running = run()
  return {
    stop: async () => {
      end()
      ending.abort()
      await running
    },
  }
}
