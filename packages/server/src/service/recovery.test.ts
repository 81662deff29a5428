import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Recovery } from './recovery.ts'

/** A load that takes some time for each system, notes the order, and finds some of them damaged. */
function slow(order: string[], damaged: readonly string[] = []): (system: string) => Promise<void> {
  return async (system) => {
    order.push(system)
    await setTimeout(20)
    if (damaged.includes(system)) throw new Error('a record does not match its hash')
  }
}

describe('recovery', () => {
  it('takes first what is asked for, and leaves out what is damaged', async () => {
    const order: string[] = []
    const recovery = new Recovery(['a', 'b', 'c', 'd', 'e'], slow(order, ['c']))
    expect(recovery.progress).toBe('recovering: 0 of 5 systems are there')
    expect(recovery.hurry('e')).toBeGreaterThanOrEqual(1)
    await recovery.settled('e')
    expect(order.slice(0, 2)).toEqual(['a', 'e'])
    expect(recovery.isPending('e')).toBe(false)
    await recovery.finished
    expect([...recovery.damaged.keys()]).toEqual(['c'])
    expect(recovery.progress).toBeUndefined()
  })

  it('rebuilds as many at once as there are lanes, each system once', async () => {
    const order: string[] = []
    const systems = Array.from({ length: 9 }, (_, i) => `s${i}`)
    let [now, most] = [0, 0]
    const load = async (system: string) => {
      most = Math.max(most, ++now)
      await slow(order)(system)
      now--
    }
    await new Recovery(systems, load, 3).finished
    expect([most, [...order].sort()]).toEqual([3, systems])
  })
})
