import { expect, it } from 'vitest'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { TICKET_SECONDS, Tickets } from './tickets.ts'
import { Tokens } from './tokens.ts'

it('a ticket ends after its time, with its token, and is worth nothing under another secret', async () => {
  const tokens = await Tokens.open(new MemoryLog())
  await tokens.create({ name: 'a', roles: ['admin'], systems: ['*'] }, 'test', 0)
  const { id } = await tokens.create({ name: 'v', roles: ['viewer'], systems: ['*'], expires: 100_000 }, 'test', 0)
  const tickets = new Tickets('secret', tokens)
  const holder = tokens.list().find((token) => token.id === id)
  if (!holder) throw new Error('the token is not there')
  const { ticket, expires } = tickets.issue(holder, 'plant', 1_000)
  expect(expires).toBe(100_000)
  expect(tickets.verify(ticket, 99_999)).toMatchObject({ name: 'v', roles: ['viewer'], systems: ['plant'] })
  expect(tickets.verify(ticket, 100_000)).toBeUndefined()
  expect(new Tickets('other', tokens).verify(ticket, 2_000)).toBeUndefined()
  for (const rubbish of ['', '.', 'x.y', `${ticket}x`]) expect(tickets.verify(rubbish, 2_000)).toBeUndefined()
  const [admin] = tokens.list()
  const lasting = tickets.issue(admin, 'plant', 1_000)
  expect(lasting.expires).toBe(1_000 + TICKET_SECONDS * 1000)
  expect(tickets.verify(lasting.ticket, lasting.expires)).toBeUndefined()
  await tokens.rotate(admin.id, 1_000, 'test', 2_000)
  expect([2_999, 3_000].map((now) => tickets.verify(lasting.ticket, now)?.name)).toEqual(['a', undefined])
})
