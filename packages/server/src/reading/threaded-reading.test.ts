import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { NotReady } from '../errors.ts'
import { SqliteStore } from '../log/sqlite-store.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { ThreadedReading } from './threaded-reading.ts'

const NAMES = { system: 'plant', channels: ['a'], levels: ['safe', 'unsafe'] }
const file = join(temporaryFolder(), 'read.db')
new SqliteStore(file).close()
const reading = new ThreadedReading(file)
afterAll(() => reading.close())

/** How many of some calls of one moment were turned away. */
async function turnedAway(calls: number, call: () => Promise<unknown>): Promise<number> {
  const outcomes = await Promise.allSettled(Array.from({ length: calls }, call))
  return outcomes.filter((outcome) => outcome.status === 'rejected' && outcome.reason instanceof NotReady).length
}

describe('reading in threads', () => {
  it('lets 500 pages wait and turns away the rest, again and again', async () => {
    const page = () => reading.records({ ...NAMES, limit: 1, latest: false })
    expect([await turnedAway(503, page), await turnedAway(501, page)]).toEqual([3, 1])
  })

  it('lets 20 explanations wait and turns away the rest, also where they fail', async () => {
    const explain = () => reading.explain({ ...NAMES, model: new Uint8Array(), through: 1 })
    expect([await turnedAway(22, explain), await turnedAway(21, explain)]).toEqual([2, 1])
  })

  it('makes four exports at once and turns away the rest', async () => {
    const query = { ...NAMES, pending: 1, format: 'csv', detail: false }
    const pieces = Array.from({ length: 6 }, () => reading.export(query).next())
    const outcomes = Promise.allSettled(pieces)
    await Promise.all(pieces.slice(4).map((piece) => expect(piece).rejects.toThrow('4 exports are under way')))
    // The others end with the server.
    await reading.close()
    expect((await outcomes).map(({ status }) => status)).toEqual(Array(6).fill('rejected'))
  })
})
