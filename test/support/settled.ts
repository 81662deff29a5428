import { setTimeout } from 'node:timers/promises'

/** What `look` gives once two looks in a row, 200 ms apart, give the same. What never rests lets the test time out. */
export async function settled<T>(look: () => Promise<T>): Promise<T> {
  for (let before = await look(); ; ) {
    await setTimeout(200)
    const now = await look()
    if (now === before) return now
    before = now
  }
}
