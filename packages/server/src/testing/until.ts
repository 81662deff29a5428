import { setTimeout } from 'node:timers/promises'

/** Waits until something holds, however busy the machine is; at last what was found is in the error. */
export async function until<T>(look: () => T | Promise<T>, holds: (found: T) => boolean): Promise<T> {
  let found = await look()
  for (let i = 0; i < 1_200 && !holds(found); i++) {
    await setTimeout(50)
    found = await look()
  }
  if (!holds(found)) throw new Error(`waited in vain: ${JSON.stringify(found).slice(0, 2_000)}`)
  return found
}
