import type { GivenSample, JoinRule } from '@pb-oel/protocol'
import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../clock/testing/simulated-clock.ts'
import { makeJoiner } from './joiner.ts'

/** A joiner of two channels, and what it made so far. */
function joining(rule: JoinRule) {
  const clock = new SimulatedClock()
  const made: GivenSample[] = []
  const warnings: string[] = []
  const take = async (sample: GivenSample) => void made.push(sample)
  const warn = (_fields: object, text: string) => void warnings.push(text)
  const joiner = makeJoiner(rule, { name: 'bus', channels: ['a', 'b'], clock, take, warn })
  /** Whether a reading has been finished. */
  const add = (reading: Parameters<typeof joiner.add>[0]) => {
    const state = { finished: false }
    void joiner.add(reading).then(() => (state.finished = true))
    return state
  }
  return { clock, made, warnings, joiner, add }
}

describe('joined by time', () => {
  it('readings are finished with their sample, not before', async () => {
    const { clock, made, add } = joining({ by: 'time', within: 10 })
    const first = add({ values: { a: 1 }, at: 1_004 })
    await clock.advance(999)
    expect([made.length, first.finished]).toEqual([0, false])
    const second = add({ values: { b: 2 }, at: 996 })
    await clock.advance(0)
    expect([first.finished, second.finished]).toEqual([true, true])
    expect(made).toEqual([{ values: { a: 1, b: 2 }, at: 1_000, key: 'bus:t1000' }])
  })

  it('a sample goes after a while without what is missing, and what comes later is refused', async () => {
    const { clock, made, add, joiner } = joining({ by: 'time', wait: 50 })
    const reading = add({ values: { a: 1 }, at: 7 })
    await clock.advance(50)
    expect([made, reading.finished]).toEqual([[{ values: { a: 1 }, at: 7, key: 'bus:t7' }], true])
    expect(() => joiner.add({ values: { b: 2 }, at: 7 })).toThrow('the sample of its time 7 has gone without it')
    expect(() => joiner.add({ values: { b: 2 } })).toThrow('has no time')
  })

  it('a sample that is ready waits for an earlier one', async () => {
    const { clock, made, add } = joining({ by: 'time', wait: 50 })
    add({ values: { a: 1 }, at: 1 })
    await clock.advance(20)
    const later = add({ values: { a: 2, b: 2 }, at: 2 })
    await clock.advance(20)
    expect([made.length, later.finished]).toEqual([0, false])
    await clock.advance(20)
    expect(made.map(({ at }) => at)).toEqual([1, 2])
  })

  it('a sample waits for a second unless told otherwise, and a millisecond is a time of its own', async () => {
    const { clock, made, add } = joining({ by: 'time' })
    add({ values: { a: 1 }, at: 7 })
    add({ values: { a: 2 }, at: 8 })
    await clock.advance(999)
    expect(made).toEqual([])
    await clock.advance(1)
    expect(made.map(({ at }) => at)).toEqual([7, 8])
  })

  it('what is incomplete at the end does not go: its readings were not finished', async () => {
    const { clock, made, add, joiner } = joining({ by: 'time' })
    const reading = add({ values: { a: 1 }, at: 7 })
    joiner.end()
    await clock.advance(60_000)
    expect([made, reading.finished, clock.waiting]).toEqual([[], false, 0])
  })

  it('no more than a thousand samples wait', () => {
    const { made, add } = joining({ by: 'time' })
    for (let at = 1; at <= 1_003; at++) add({ values: { a: at }, at })
    expect(made.map(({ at }) => at)).toEqual([1, 2, 3])
  })
})

it('joined by tick, a counter may begin anew', async () => {
  const { clock, made, add } = joining({ by: 'tick' })
  for (const tick of ['255', '0', '255']) {
    add({ values: { a: Number(tick) }, tick })
    add({ values: { b: 1 }, tick })
  }
  await clock.advance(0)
  expect(made).toEqual([255, 0, 255].map((a) => ({ values: { a, b: 1 } })))
})

it('joined by tick, a sample has the time and the key of the first reading', async () => {
  const { clock, made, add } = joining({ by: 'tick' })
  add({ values: { a: 1 }, tick: '1', at: 5, key: 'k1' })
  add({ values: { b: 2 }, tick: '1', at: 6, key: 'k2' })
  await clock.advance(0)
  expect(made).toEqual([{ values: { a: 1, b: 2 }, at: 5, key: 'bus:k1' }])
})

describe('the latest values', () => {
  it('are a sample every so often, from when all are known, until they are too old', async () => {
    const { clock, made, add } = joining({ by: 'latest', every: 100, lasts: 250 })
    const first = add({ values: { a: 1 } })
    await clock.advance(100)
    expect(made).toEqual([])
    add({ values: { b: 2 } })
    await clock.advance(100)
    expect([first.finished, made]).toEqual([true, [{ values: { a: 1, b: 2 } }]])
    await clock.advance(300)
    expect(made.slice(1)).toEqual([{ values: { a: null, b: 2 } }])
  })

  it('last as long as they should, and no samples come after the end', async () => {
    const { clock, made, add, joiner } = joining({ by: 'latest', every: 100, lasts: 100 })
    add({ values: { a: 1, b: 2 } })
    await clock.advance(100)
    expect(made).toEqual([{ values: { a: 1, b: 2 } }])
    joiner.end()
    add({ values: { a: 1, b: 2 } })
    await clock.advance(60_000)
    expect([made.length, clock.waiting]).toEqual([1, 0])
  })

  it('do not outlive their source', async () => {
    const { clock, made, add, joiner } = joining({ by: 'latest' })
    add({ values: { a: 1, b: 2 }, at: 5, key: 'k' })
    joiner.lose(['a'])
    add({ values: { b: 3 } })
    joiner.lose(['a', 'b'])
    await clock.advance(1_000)
    expect(made).toEqual([{ values: { a: 1, b: 2 }, at: 5, key: 'bus:k' }, { values: { a: null, b: 3 } }])
  })

  it('that never come are asked for', async () => {
    const { clock, warnings, add } = joining({ by: 'latest' })
    add({ values: { a: 1 } })
    await clock.advance(30_000)
    expect(warnings).toEqual(['no sample yet: nothing has come for these channels'])
  })
})
