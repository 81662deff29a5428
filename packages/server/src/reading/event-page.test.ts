import { expect, it } from 'vitest'
import { GENESIS } from '../log/record.ts'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { eventPage } from './event-page.ts'

it('a page of events says which records are gone, from the first one that is wanted to the last', async () => {
  const log = new MemoryLog()
  await log.begin('plant', 7, GENESIS)
  const body = JSON.stringify({ version: 2, text: 'x', assessment: 0, by: 'eva' })
  await log.append('plant', 8, [{ time: 5, kind: 'comment', body }])
  const page = async (after: number) => {
    const query = { system: 'plant', channels: [], levels: [], after, kinds: ['comment' as const] }
    const { bytes, last, more } = await eventPage(log, query)
    expect([last, more]).toEqual([8, false])
    return Buffer.from(bytes)
      .toString()
      .split('\n\n')
      .map((text) => text.split('\n').slice(0, 2).join(' '))
  }
  expect((await page(0))[0]).toBe('event: gap data: {"from":1,"to":7}')
  expect((await page(6))[0]).toBe('event: gap data: {"from":7,"to":7}')
  expect((await page(7))[0]).toBe('id: 8 event: comment')
})
