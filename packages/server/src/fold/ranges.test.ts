import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SqliteLogReader } from '../log/sqlite-log.ts'
import { replaySystem } from '../replay/replay.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { localServer } from '../testing/local-server.ts'
import { send } from '../testing/requests.ts'

const store = join(temporaryFolder(), 'ranges.db')
const server = await localServer({ store, systems: [] })
const BOAT = {
  channels: ['depth', 'oxygen', 'heading'],
  levels: ['safe', 'unsafe'],
  options: { networks: 2 },
}

async function boat(id: string, ranges: object) {
  const made = await send(`${server.url}/v1/systems`, 'POST', { id, ...BOAT, ranges })
  const url = `${server.url}/v1/systems/${id}`
  return {
    ...{ made, url },
    sample: (...values: (number | null)[]) => send(`${url}/samples`, 'POST', { values }),
    change: (ranges: object) => send(url, 'PATCH', { ranges }),
  }
}

describe('the range of a channel', () => {
  it('refuses, cuts off or flags what is outside, and is silent about what is inside', async () => {
    const ranges = {
      depth: { min: 0, max: 300 },
      oxygen: { min: 0, max: 100, action: 'clip' },
      heading: { max: 360, action: 'flag' },
    }
    const { made, sample, url } = await boat('all', ranges)
    expect(made.body.configuration.ranges).toEqual(ranges)
    const inside = await sample(0, 100, -1e9)
    expect([inside.status, inside.body.degraded]).toEqual([200, undefined])
    const refused = await sample(1e6, 20, 1)
    expect([refused.status, refused.body.title]).toEqual([422, 'Invalid sample'])
    expect(refused.body.detail).toBe('sample: channel depth is 1000000, outside its range of 0 to 300')
    const outside: [number[], string[], number[]][] = [
      [[1, -1e6, 1], ['oxygen'], [1, 0, 1]],
      [[1, 1e6, 1], ['oxygen'], [1, 100, 1]],
      [[1, 20, 1e6], ['heading'], [1, 20, 1e6]],
    ]
    for (const [given, degraded, taken] of outside) {
      expect((await sample(...given)).body.degraded).toEqual(degraded)
      expect((await send(url, 'GET')).body.lastValues).toEqual(taken)
    }
    const { body } = await send(url, 'GET')
    expect([body.samples, body.counts.degraded, body.degraded]).toEqual([4, 3, ['heading']])
  })

  it('can change and go, and the log replays', async () => {
    const { sample, change, url } = await boat('changing', { depth: { max: 10 } })
    expect((await sample(11, 1, 1)).status).toBe(422)
    await change({ depth: { max: 20 }, oxygen: { min: 0 } })
    expect((await sample(11, 1, 1)).status).toBe(200)
    expect((await sample(11, -1, 1)).status).toBe(422)
    expect((await change({ depth: null, oxygen: null })).body.configuration.ranges).toBeUndefined()
    expect((await sample(1e6, -1, 1)).status).toBe(200)
    const live = (await send(`${url}/state`, 'GET')).body.stateHash
    const reader = await SqliteLogReader.openReader(store)
    expect(await replaySystem(reader, 'changing')).toMatchObject({ assessments: 2, stateHash: live })
    await reader.close()
  })

  it('is checked: a channel that exists, limits in order, known words', async () => {
    for (const [ranges, message] of [
      [{ nothing: { max: 1 } }, 'the name of a channel'],
      [{ depth: { min: 2, max: 1 } }, 'at most max, which is 1'],
      [{ depth: {} }, 'depth'],
      [{ depth: { max: 1, action: 'ignore' } }, 'reject, clip, flag'],
    ] as const) {
      const { made } = await boat('wrong', ranges)
      expect([made.status >= 400 && made.status < 500, made.body.detail]).toEqual([
        true,
        expect.stringContaining(message),
      ])
    }
  })
})

describe('a channel that stops moving', () => {
  it('is shown as degraded until it moves again, unless nobody wants to know, and the log replays', async () => {
    const { sample, url } = await boat('stuck', {})
    const degraded: (string[] | undefined)[] = []
    for (let t = 0; t < 90; t++) {
      // The second channel dies for a while. The third has never moved.
      const oxygen = t >= 60 && t < 80 ? 20 : 20 + Math.sin(t)
      degraded.push((await sample(Math.cos(t), oxygen, 7)).body.degraded)
    }
    const first = degraded.findIndex((names) => names !== undefined)
    expect([first, degraded[first]]).toEqual([71, ['oxygen']])
    expect(degraded.slice(first, 80)).toEqual(Array(80 - first).fill(['oxygen']))
    expect(degraded.slice(80)).toEqual(Array(10).fill(undefined))
    expect((await send(url, 'GET')).body.counts.degraded).toBe(80 - first)
    await send(url, 'PATCH', { stuck: false })
    for (let t = 0; t < 30; t++) expect((await sample(1, 1, 7)).body.degraded).toBeUndefined()
    const { stateHash } = (await send(`${url}/state`, 'GET')).body
    const log = await SqliteLogReader.openReader(store)
    const report = await replaySystem(log, 'stuck')
    await log.close()
    expect([report.difference, report.stateHash]).toEqual([undefined, stateHash])
  })
})
