import type { GivenSample } from '@pb-oel/protocol'
import { describe, expect, it } from 'vitest'
import { NotFound, NotReady } from '../errors.ts'
import { BridgedSystems } from './bridged-systems.ts'
import type { Intake } from './intake.ts'
import { bridgeContext } from './testing/bridge-context.ts'

/** Systems by name with their channels, an error where there is none, and what a bridge wrote there. */
function bridged(systems: Record<string, string[] | Error>, join: ConstructorParameters<typeof BridgedSystems>[0]) {
  const made: [system: string, values: GivenSample['values']][] = []
  let looks = 0
  const intake = {
    channels: async (system: string) => {
      looks++
      const channels = systems[system] ?? new NotFound(`there is no system ${system}`)
      if (channels instanceof Error) throw channels
      return channels
    },
    samples: async (system: string, samples: readonly GivenSample[]) =>
      samples.map(({ values }) => {
        made.push([system, values])
        return {}
      }),
  } as unknown as Intake
  const { context, clock, told } = bridgeContext(intake)
  const bridge = new BridgedSystems(join, context)
  const add = (system: string, values: Record<string, number>) => void bridge.add(system, { values })
  return { bridge, add, made, clock, told, looks: () => looks }
}

describe('the systems of a bridge', () => {
  it('take values of their channels, and what is for none of them is left out', async () => {
    const { add, made, clock, told } = bridged({ tank: ['a', 'b'] }, { by: 'message' })
    add('tank', { a: 1, c: 3 })
    expect(told.waiting).toBe(1)
    add('tank', { c: 3 })
    await clock.advance(0)
    expect(made).toEqual([['tank', { a: 1 }]])
    expect([told.outcomes.toSorted(), told.waiting]).toEqual([['accepted', 'ignored'], 0])
  })

  it('that do not exist are asked for once a second, and may be made later', async () => {
    const systems: Record<string, string[]> = {}
    const { add, made, clock, told, looks } = bridged(systems, { by: 'message' })
    for (let i = 0; i < 3; i++) add('late', { a: i })
    await clock.advance(0)
    await clock.advance(999)
    expect([told.outcomes, told.waiting, looks()]).toEqual([Array(3).fill('refused'), 0, 1])
    systems.late = ['a']
    add('late', { a: 3 })
    await clock.advance(1)
    add('late', { a: 4 })
    await clock.advance(0)
    expect(made).toEqual([['late', { a: 4 }]])
  })

  it('that nobody has at this moment keep their readings waiting', async () => {
    const systems: Record<string, string[] | Error> = { tank: new NotReady('no worker has it') }
    const { add, made, clock, told } = bridged(systems, { by: 'message' })
    add('tank', { a: 1 })
    for (let step = 0; step < 7; step++) await clock.advance(step === 0 ? 0 : 500)
    expect([made, told.waiting, told.outcomes]).toEqual([[], 1, []])
    systems.tank = ['a']
    for (let step = 0; step < 3; step++) await clock.advance(500)
    expect([made, told.waiting]).toEqual([[['tank', { a: 1 }]], 0])
  })

  it('have their channels looked at every ten seconds, and begin anew with other ones', async () => {
    const systems = { tank: ['a'] }
    const { add, made, clock } = bridged(systems, { by: 'latest' })
    add('tank', { a: 1 })
    await clock.advance(10_000)
    systems.tank = ['a', 'b']
    add('tank', { b: 2 })
    await clock.advance(9_999)
    expect(made).toEqual([['tank', { a: 1 }]])
    await clock.advance(1)
    add('tank', { b: 2 })
    add('tank', { a: 3 })
    await clock.advance(0)
    expect(made.slice(1)).toEqual([['tank', { a: 3, b: 2 }]])
  })

  it('get no more samples when the bridge has ended', async () => {
    const { bridge, add, made, clock } = bridged({ tank: ['a'] }, { by: 'latest', every: 100 })
    add('tank', { a: 1 })
    await clock.advance(0)
    await clock.advance(100)
    const { length } = made
    expect(length).toBeGreaterThan(0)
    bridge.end()
    await clock.advance(20_000)
    expect([made.length, clock.waiting]).toEqual([length, 0])
  })

  it('hold a channel as missing when its source is gone', async () => {
    const { bridge, add, made, clock } = bridged({ tank: ['a', 'b'] }, { by: 'latest' })
    add('tank', { a: 1, b: 2 })
    await clock.advance(0)
    await bridge.lose('tank', ['a'])
    await bridge.lose('nobody', ['a'])
    add('tank', { b: 3 })
    await clock.advance(0)
    expect(made.at(-1)).toEqual(['tank', { a: null, b: 3 }])
  })
})
