import { once } from 'node:events'
import type { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { LocalReading } from '../reading/local-reading.ts'
import { alarmingPlant } from '../testing/alarming-plant.ts'
import { eventStream } from './server-events.ts'

/** A plant on a simulated clock, with a follower of its assessments that has read the past. */
async function followed() {
  const plant = await alarmingPlant()
  const { service, log, system } = plant
  const timers = plant.clock.waiting
  const stream = eventStream(new LocalReading(log), system, 0, ['assessment'])
  const told = { text: '' }
  stream.on('data', (chunk) => (told.text += chunk))
  const until = (words: string) => expect.poll(() => told.text).toContain(words)
  const { sequence } = await service.get('plant').overview()
  await until(`id: ${sequence - 1}\n`)
  return { ...plant, stream, told, until, timers }
}

const closed = async (stream: PassThrough) => {
  stream.destroy()
  await once(stream, 'close')
}

describe('events of a system', () => {
  it('begin with how soon to come back, and a comment every 15 seconds keeps the connection', async () => {
    const { clock, told } = await followed()
    expect(told.text).toMatch(/^retry: 1000\n\nid: /)
    const before = told.text.length
    await clock.advance(14_999)
    expect(told.text.length).toBe(before)
    await clock.advance(1)
    expect(told.text.slice(before)).toBe(':\n\n')
    await clock.advance(30_000)
    expect(told.text.slice(before)).toBe(':\n\n'.repeat(3))
  })

  it('leave nothing behind when their reader goes', async () => {
    const { clock, stream, told, sample, service, timers } = await followed()
    await closed(stream)
    expect(clock.waiting).toBe(timers)
    const before = told.text
    await sample()
    await clock.advance(60_000)
    expect(told.text).toBe(before)
    await service.close()
  })

  it('end with the system, so that their reader asks whoever has it then', async () => {
    const { service, stream } = await followed()
    const ended = once(stream, 'end')
    service.drop('plant')
    await ended
  })

  it('of two readers with as many kinds are each their own', async () => {
    const { service, log, system, clock, label, stream } = await followed()
    const other = eventStream(new LocalReading(log), system, (await system.overview()).sequence, ['feedback'])
    let text = ''
    other.on('data', (chunk) => (text += chunk))
    for (let i = 0; i < 3; i++) {
      await label(1)
      await clock.advance(50)
    }
    await expect.poll(() => text.match(/^event: \w+$/gm)).toEqual(Array(3).fill('event: feedback'))
    await Promise.all([closed(other), closed(stream)])
    await service.close()
  })
})
