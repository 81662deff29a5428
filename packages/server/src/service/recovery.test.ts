import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../clock/testing/simulated-clock.ts'
import { Recovery } from './recovery.ts'

/** Systems that take a second each to be rebuilt, some of them in vain, on a clock that tests move. */
async function recovering(systems: string[], { damaged = [] as string[], lanes = 1 } = {}) {
  const clock = new SimulatedClock()
  await clock.advance(5_000)
  const order: string[] = []
  let [now, most] = [0, 0]
  const load = async (system: string) => {
    order.push(system)
    most = Math.max(most, ++now)
    await clock.pause(1_000)
    now--
    if (damaged.includes(system)) throw new Error('a record does not match its hash')
  }
  return { clock, order, recovery: new Recovery(systems, load, lanes, clock), most: () => most }
}

describe('recovery', () => {
  it('takes first what is asked for, leaves out what is damaged, and says how far it is', async () => {
    const { clock, order, recovery } = await recovering(['a', 'b', 'c', 'd', 'e'], { damaged: ['c'] })
    expect([recovery.total, recovery.progress]).toEqual([5, 'recovering: 0 of 5 systems are there'])
    expect(recovery.pending).toEqual(['a', 'b', 'c', 'd', 'e'])
    // Nothing is known of the time that one takes.
    expect([recovery.secondsLeft, recovery.hurry('b')]).toEqual([1, 1])
    let settled = false
    const waiting = recovery.settled('e').then(() => (settled = true))
    await clock.advance(1_000)
    expect([order, settled, recovery.isPending('e'), recovery.isPending('a')]).toEqual([['a', 'e'], false, true, false])
    expect(recovery.progress).toBe('recovering: 1 of 5 systems are there')
    // A second each: four are left, and one that is asked for has at most one before it.
    expect([recovery.secondsLeft, recovery.hurry('d'), recovery.hurry('e')]).toEqual([4, 2, 2])
    await clock.advance(1_500)
    await waiting
    expect([settled, order, recovery.hurry('d')]).toEqual([true, ['a', 'e', 'd'], 3])
    await clock.advance(500)
    await clock.advance(1_000)
    expect(order).toEqual(['a', 'e', 'd', 'b', 'c'])
    expect(recovery.pending).toEqual(['c'])
    await clock.advance(1_000)
    await recovery.finished
    expect([...recovery.damaged].map(([id, { message }]) => [id, message])).toEqual([
      ['c', 'a record does not match its hash'],
    ])
    expect([recovery.progress, recovery.pending, recovery.isPending('c')]).toEqual([undefined, [], false])
    await recovery.settled('nobody')
  })

  it('rebuilds as many at once as there are lanes, each system once', async () => {
    const systems = Array.from({ length: 9 }, (_, i) => `s${i}`)
    const { clock, order, recovery, most } = await recovering(systems, { lanes: 3 })
    for (let second = 0; second < 3; second++) await clock.advance(1_000)
    await recovery.finished
    expect([most(), order.toSorted()]).toEqual([3, systems])
    await new Recovery([], async () => {}).finished
  })

  it('ends with those that are being rebuilt, and blames nobody for the end', async () => {
    const { clock, order, recovery } = await recovering(['a', 'b', 'c'], { damaged: ['a'] })
    const stopped = recovery.stop()
    await clock.advance(1_000)
    await stopped
    expect([order, recovery.damaged.size, recovery.isPending('b')]).toEqual([['a'], 0, true])
  })
})
