import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KeyPage, LogReader } from '../log/event-log.ts'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { Service } from '../service/service.ts'
import { PLANT } from '../testing/local-server.ts'
import { olderKeys } from './used-keys.ts'

const COUNT = 60
/** Every third record has no key. */
const bodyOf = (n: number) => JSON.stringify(n % 3 === 0 ? { version: 2 } : { version: 2, key: `k${n}` })
const log = new MemoryLog()
await log.append(
  'plant',
  1,
  Array.from({ length: COUNT }, (_, i) => ({ time: 1_000 * (i + 1), kind: 'sample' as const, body: bodyOf(i + 1) })),
)
const sequences = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i).filter((n) => n % 3 !== 0)

/** The log with pages, and which records were read from it. */
function withPages(pages: KeyPage[]): { paged: LogReader; read: number[] } {
  const read: number[] = []
  const paged = Object.assign(Object.create(log) as LogReader, {
    keyPages: async () => pages,
    read: async (...query: Parameters<LogReader['read']>) => {
      const records = await log.read(...query)
      read.push(...records.map(({ sequence }) => sequence))
      return records
    },
  })
  return { paged, read }
}

const pageOf = (after: number, to: number): KeyPage => ({
  ...{ after, to, time: 1_000 * to },
  keys: sequences(after + 1, to).map((n) => [`k${n}`, n]),
})

describe('the keys that a state does not hold any more', () => {
  it('are the same whichever pages there are, and records under a page are not read', async () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 0, max: COUNT }), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(cuts, fc.array(fc.boolean(), { minLength: 8 }), async (cuts, kept) => {
        const places = cuts.sort((a, b) => a - b)
        const pages = places.slice(1).map((to, i) => pageOf(places[i], to))
        const some = pages.filter((_, i) => kept[i])
        const { paged, read } = withPages(some)
        const found = await olderKeys(paged, { id: 'plant', time: 1_000 * COUNT, oldest: 51 })
        expect(found.map(({ key, sequence }) => [key, sequence])).toEqual(sequences(1, 50).map((n) => [`k${n}`, n]))
        const covered = (n: number) => some.some(({ after, to }) => after < n && n <= to)
        expect(read.filter(covered)).toEqual([])
      }),
    )
  })

  it('end where ten minutes are over, in a page and in the log', async () => {
    const now = 600_000 + 20_000
    for (const pages of [[], [pageOf(0, 10), pageOf(10, 19), pageOf(19, 30)]]) {
      const found = await olderKeys(withPages(pages).paged, { id: 'plant', time: now, oldest: 31 })
      expect(found.map(({ sequence }) => sequence)).toEqual(sequences(20, 30))
    }
  })

  it('are those of every kind of record that a person or a sensor may send twice', async () => {
    const kinds = ['sample', 'feedback', 'correction', 'stretch', 'abstention', 'second-opinion', 'comment'] as const
    const mixed = new MemoryLog()
    const records = kinds.map((kind, i) => ({ time: 1, kind, body: bodyOf(3 * i + 1) }))
    await mixed.append('plant', 1, [...records, { time: 1, kind: 'sample', body: bodyOf(0) }])
    const found = await olderKeys(mixed, { id: 'plant', time: 1, oldest: 8 })
    expect(found.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  it('are none while the state holds all', async () => {
    const { paged, read } = withPages([pageOf(0, 30)])
    expect(await olderKeys(paged, { id: 'plant', time: 60_000, oldest: undefined })).toEqual([])
    expect(read).toEqual([])
  })
})

it('a saved state comes with the keys used since the one before, also across a start', async () => {
  const kept: KeyPage[] = []
  class WatchedLog extends MemoryLog {
    override append(...[system, first, records, snapshot]: Parameters<MemoryLog['append']>): Promise<void> {
      if (snapshot?.keys) kept.push(snapshot.keys)
      return super.append(system, first, records, snapshot)
    }
  }
  const own = new WatchedLog()
  const sample = (to: Service, n: number) =>
    to.sample('plant', { values: [n, 1], ...(n % 4 > 0 && { key: `k${n}` }) }, 'test')
  for (const part of [0, 1]) {
    const service = await Service.open(own, { snapshotEvery: 20 })
    if (part === 0) await service.create('plant', PLANT, 'test')
    for (let n = 50 * part; n < 50 * (part + 1); n++) await sample(service, n)
  }
  expect(kept.length).toBeGreaterThan(6)
  kept.slice(1).forEach(({ after }, i) => {
    expect(after).toBe(kept[i].to)
  })
  const records = await own.read('plant', { kinds: ['sample'], to: kept.at(-1)?.to })
  const expected = records.flatMap(({ body, sequence }) => {
    const { key } = JSON.parse(body)
    return key === undefined ? [] : [[key, sequence]]
  })
  expect(kept.flatMap(({ keys }) => keys)).toEqual(expected)
})
