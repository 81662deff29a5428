import { expect, it } from 'vitest'
import type { Intake } from './intake.ts'
import { retrying } from './retrying.ts'
import { bridgeContext } from './testing/bridge-context.ts'

it('a lost connection is made again after half a second, then ever later up to half a minute, and told each time', async () => {
  const { context, clock, told } = bridgeContext({} as Intake)
  const begins: number[] = []
  let works = false
  let ended = 0
  let lose = () => {}
  const connection = (begun: () => void, signal: AbortSignal) => {
    begins.push(clock.monotonic())
    if (!works) return Promise.reject(new Error('nobody listens'))
    begun()
    return new Promise<void>((done, fail) => {
      lose = () => fail(new Error('it hung up'))
      signal.addEventListener('abort', () => done())
    })
  }
  const bridge = retrying(context, connection, () => ended++)
  // Step by step: a connection that was lost sets its timer only afterwards.
  for (let step = 0; step < 400; step++) await clock.advance(step === 0 ? 0 : 250)
  const waits = begins.slice(1).map((at, i) => at - begins[i])
  expect(waits.slice(0, 8)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  expect(told.connected.slice(0, 2)).toEqual(['false nobody listens', 'false'])
  works = true
  for (let step = 0; step < 120; step++) await clock.advance(250)
  expect(told.connected.at(-1)).toBe('true')
  lose()
  await clock.advance(0)
  await clock.advance(499)
  expect(told.connected.slice(-2)).toEqual(['false it hung up', 'false'])
  await clock.advance(1)
  expect(told.connected.at(-1)).toBe('true')
  await bridge.stop()
  expect([ended, told.connected.at(-1), clock.waiting]).toEqual([1, 'false', 0])
})
