import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../clock/testing/simulated-clock.ts'
import { Conflict, NotFound } from '../errors.ts'
import { SqliteLog } from '../log/sqlite-log.ts'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { createToken } from './create-token.ts'
import { GuessLimit } from './guess-limit.ts'
import { allows, type Principal } from './roles.ts'
import { Tokens } from './tokens.ts'

const ADMIN = { name: 'root', roles: ['admin' as const], systems: ['*'] }
const VIEWER = { name: 'eva', roles: ['viewer' as const], systems: ['plant'] }

/** A server with one admin, at moment 0. */
async function withAdmin() {
  const clock = new SimulatedClock(0)
  const log = new MemoryLog()
  const tokens = await Tokens.open(log, clock)
  const admin = await tokens.create(ADMIN, 'test', 0)
  return { clock, log, tokens, admin }
}

describe('the first token', () => {
  it.each([
    ['a viewer', { ...VIEWER, systems: ['*'] }],
    ['an admin of one system', { ...ADMIN, systems: ['plant'] }],
    ['an admin for a while', { ...ADMIN, expires: 1000 }],
  ])('is not %s: nobody could make another one', async (_, principal) => {
    const tokens = await Tokens.open(new MemoryLog())
    await expect(tokens.create(principal, 'test', 0)).rejects.toThrow(Conflict)
    expect(tokens.size).toBe(0)
    await tokens.create(ADMIN, 'test', 0)
    expect(await tokens.create(principal, 'test', 0)).toHaveProperty('text')
  })

  it('ends what was begun without one; the second does not', async () => {
    const tokens = await Tokens.open(new MemoryLog())
    let ended = 0
    tokens.watch({ name: 'local', roles: [], systems: [] }, 0, () => ended++)
    await tokens.create(ADMIN, 'test', 0)
    expect(ended).toBe(1)
    await tokens.create(VIEWER, 'test', 0)
    expect(ended).toBe(1)
  })

  it('is made in a store that no server has open', async () => {
    const store = join(temporaryFolder(), 'tokens.db')
    const text = await createToken(store, { ...ADMIN, roles: ['admin', 'expert' as 'reviewer'] })
    const log = await SqliteLog.open(store)
    const tokens = await Tokens.open(log)
    expect(tokens.verify(text, Date.now())).toMatchObject({ name: 'root', roles: ['admin', 'reviewer'] })
    await log.close()
    const cluster = { servers: 'nats://127.0.0.1:1', cluster: 'two words' }
    await expect(createToken(cluster, ADMIN)).rejects.toThrow('two words: the name of a cluster')
  })
})

describe('a token', () => {
  it('is who it was made for, by its whole text and until it expires', async () => {
    const { tokens } = await withAdmin()
    const { id, text } = await tokens.create({ ...VIEWER, expires: 5000 }, 'root', 1000)
    expect(tokens.verify(text, 4999)).toMatchObject({ id, ...VIEWER, created: 1000, createdBy: 'root' })
    expect(tokens.verify(text, 5000)).toBeUndefined()
    const other = text.endsWith('A') ? 'B' : 'A'
    for (const wrong of [text.slice(0, -1) + other, `${text}x`, `x${text}`, text.slice(0, -1), id, '']) {
      expect(tokens.verify(wrong, 1000)).toBeUndefined()
    }
    await expect(tokens.create({ ...VIEWER, expires: 1000 }, 'root', 1000)).rejects.toThrow(Conflict)
  })

  it('is known to every worker that reads the same log, in order, and to none after its end', async () => {
    const { log, tokens } = await withAdmin()
    const other = await Tokens.open(log)
    const { id, text } = await tokens.create(VIEWER, 'root', 0)
    expect(other.verify(text, 0)).toBeUndefined()
    await other.refresh()
    expect(other.list()).toEqual(tokens.list())
    expect(other.find(id)).toMatchObject(VIEWER)
    await Promise.all([tokens.create(VIEWER, 'root', 0), tokens.create(VIEWER, 'root', 0)])
    await other.revoke(id, 'root', 1)
    await tokens.refresh()
    expect([tokens.verify(text, 1), tokens.size]).toEqual([undefined, 3])
    // One worker ends a token while another one, which has not heard of it, lets it end later.
    const [, late] = tokens.list()
    await other.refresh()
    await tokens.revoke(late.id, 'root', 1)
    await other.rotate(late.id, 500, 'root', 1)
    expect([other.find(late.id), other.size]).toEqual([undefined, 3])
  })

  it('is changed by records of tokens only', async () => {
    const { log, tokens, admin } = await withAdmin()
    const body = JSON.stringify({ version: 2, action: 'revoked', id: admin.id, by: 'root' })
    await log.remove('plant', { time: 1, kind: 'deletion', body }, 'alarms of plant ')
    await tokens.refresh()
    expect(tokens.verify(admin.text, 1)).toMatchObject(ADMIN)
  })

  it('is not taken from a log whose chain is broken', async () => {
    const { log } = await withAdmin()
    const read = log.read.bind(log)
    log.read = async (system, query) => (await read(system, query)).map((record) => ({ ...record, time: 7 }))
    await expect(Tokens.open(log)).rejects.toThrow('does not match its hash')
  })

  it('that is unknown cannot be revoked or rotated, nor the last admin of all systems removed', async () => {
    const { tokens, admin } = await withAdmin()
    await expect(tokens.revoke('none', 'root', 0)).rejects.toThrow(NotFound)
    await expect(tokens.rotate('none', 0, 'root', 0)).rejects.toThrow('there is no token none')
    const viewer = await tokens.create(VIEWER, 'root', 0)
    await expect(tokens.revoke(admin.id, 'root', 0)).rejects.toThrow('the last admin')
    await tokens.revoke(viewer.id, 'root', 0)
    await tokens.create(ADMIN, 'root', 0)
    await tokens.revoke(admin.id, 'root', 0)
    expect([tokens.size, tokens.verify(admin.text, 0)]).toEqual([1, undefined])
  })

  it('is rotated: the former one ends at once or after its grace, and never later than before', async () => {
    const { tokens } = await withAdmin()
    const first = await tokens.create({ ...VIEWER, expires: 900 }, 'root', 0)
    const second = await tokens.rotate(first.id, 500, 'root', 100)
    expect(tokens.verify(second.text, 899)).toMatchObject(VIEWER)
    expect([599, 600].map((now) => tokens.verify(first.text, now)?.id)).toEqual([first.id, undefined])
    await tokens.rotate(second.id, 5000, 'root', 100)
    expect(tokens.find(second.id)?.expires).toBe(900)
    const third = await tokens.create(VIEWER, 'root', 0)
    await tokens.rotate(third.id, 0, 'root', 100)
    expect([tokens.verify(third.text, 100), tokens.find(third.id)]).toEqual([undefined, undefined])
  })

  it.each(['revoked', 'rotated with a grace', 'expired'])('that is %s ends what was begun with it', async (how) => {
    const { clock, tokens, admin } = await withAdmin()
    const { id } = await tokens.create({ ...VIEWER, expires: how === 'expired' ? 700 : undefined }, 'root', 0)
    const heard: string[] = []
    const principal = tokens.find(id) as Principal
    tokens.watch(principal, 200, () => heard.push('own'))
    tokens.watch(tokens.find(admin.id) as Principal, 200, () => heard.push('other'))
    tokens.watch(principal, 200, () => heard.push('stopped'))()
    if (how === 'revoked') await tokens.revoke(id, 'root', 200)
    else if (how === 'expired') {
      await clock.advance(499)
      expect(heard).toEqual([])
      await clock.advance(1)
    } else await tokens.rotate(id, 500, 'root', 200)
    expect(heard).toEqual(['own'])
  })
})

it('rights are those of the roles, on the systems of the principal', () => {
  const may = (roles: Principal['roles'], systems: string[]) => ({ name: 'x', roles, systems })
  expect(allows(may([], []), 'public')).toBe(true)
  expect(allows(may([], ['*']), 'read')).toBe(false)
  expect(allows(may(['sensor', 'viewer'], ['*']), 'read', 'plant')).toBe(true)
  expect(allows(may(['sensor'], ['*']), 'read', 'plant')).toBe(false)
  expect(allows(may(['viewer'], ['plant']), 'read', 'plant')).toBe(true)
  expect(allows(may(['viewer'], ['plant']), 'read', 'other')).toBe(false)
  expect(allows(may(['viewer'], ['plant']), 'read', '*')).toBe(false)
  expect(allows(may(['viewer'], ['plant']), 'read')).toBe(true)
})

it('an address waits after ten wrong tokens in a minute, and the oldest address is forgotten at last', () => {
  let now = 0
  const limit = new GuessLimit(() => now)
  const guess = (address: string, times: number) => {
    for (let i = 0; i < times; i++) limit.wrong(address)
  }
  guess('a', 9)
  expect(limit.wait('a')).toBe(0)
  guess('a', 1)
  expect([limit.wait('a'), limit.wait('b')]).toEqual([60, 0])
  now = 58_001
  expect(limit.wait('a')).toBe(2)
  guess('b', 10)
  now = 60_000
  expect(limit.wait('a')).toBe(0)
  guess('a', 9)
  expect(limit.wait('a')).toBe(0)
  guess('a', 1)
  expect(limit.wait('a')).toBe(60)
  // The latest time that an address has begun to guess counts: b is older than a.
  for (let i = 0; i < 9_998; i++) guess(`c${i}`, 1)
  expect([limit.wait('a'), limit.wait('b')]).toEqual([60, 59])
  guess('last but one', 1)
  expect([limit.wait('a'), limit.wait('b')]).toEqual([60, 0])
  guess('last', 10)
  expect([limit.wait('a'), limit.wait('last')]).toEqual([0, 60])
  now = 121_500
  expect(limit.wait('last')).toBe(0)
})
