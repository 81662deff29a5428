import type { RecordKind } from '@pb-oel/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Conflict } from '../../errors.ts'
import { ChainVerifier } from '../chain.ts'
import type { EventLog } from '../event-log.ts'
import { GENESIS, type NewRecord, SERVER_LOG } from '../record.ts'

const record = (time: number, kind: RecordKind = 'sample', body = `{"time":${time}}`): NewRecord => ({
  time,
  kind,
  body,
})

/**
 * What every event log must do.
 *
 * @param open makes an empty log
 */
export function describeEventLog(name: string, open: () => Promise<EventLog>): void {
  const withLog = (test: (log: EventLog) => Promise<void>) => async () => {
    const log = await open()
    try {
      await test(log)
    } finally {
      await log.close()
    }
  }

  describe(`${name} is an event log`, () => {
    it(
      'gives back what was appended, chained from the genesis hash',
      withLog(async (log) => {
        await log.append('a', 1, [record(10, 'created'), record(11)])
        await log.append('a', 3, [record(11, 'feedback', '{"text":"ä \\n \\u0000 🚢"}')])
        const records = await log.read('a')
        expect(records.map(({ sequence, time, kind }) => [sequence, time, kind])).toEqual([
          [1, 10, 'created'],
          [2, 11, 'sample'],
          [3, 11, 'feedback'],
        ])
        expect(records[2].body).toBe('{"text":"ä \\n \\u0000 🚢"}')
        const chain = new ChainVerifier('a')
        for (const entry of records) chain.check(entry)
        expect(await log.extent('a')).toEqual({ first: 1, before: GENESIS, last: 3, hash: records[2].hash })
      }),
    )

    it(
      'keeps records of any size, removes them with the rest, and takes others under the same name',
      withLog(async (log) => {
        const large = JSON.stringify({ state: 'ä"'.repeat(500_000) })
        await log.append('a', 1, [record(1, 'created', large), record(2), record(3, 'channel', large)])
        await log.append('a', 4, [record(4)])
        expect((await log.read('a', { kinds: ['channel'] }))[0].body).toBe(large)
        const [first] = await log.pick('a', [1])
        const chain = new ChainVerifier('a')
        chain.check(first)
        expect(first.body).toBe(large)
        await log.compact('a', 3)
        expect((await log.read('a')).map(({ time }) => time)).toEqual([4])
        await log.remove('a', record(5, 'deletion'), 'alarms of a ')
        await log.append('a', 1, [record(6, 'created', large)])
        expect((await log.read('a'))[0].body).toBe(large)
      }),
    )

    it(
      'knows nothing of a system without records',
      withLog(async (log) => {
        expect(await log.systems()).toEqual([])
        expect(await log.read('a')).toEqual([])
        expect(await log.extent('a')).toBeUndefined()
        expect(await log.snapshot('a')).toBeUndefined()
        expect(await log.sequenceAt('a', 5)).toBe(1)
      }),
    )

    it(
      'reads what one person caused, and nobody with a name like theirs',
      withLog(async (log) => {
        const by = (name: string) => record(1, 'feedback', JSON.stringify({ by: name, note: 'by eva' }))
        await log.append('a', 1, [record(1, 'created'), by('eva'), by('max'), by('eva '), by('eva')])
        const numbers = async (query: object) => (await log.read('a', query)).map(({ sequence }) => sequence)
        expect(await numbers({ by: 'eva' })).toEqual([2, 5])
        expect(await numbers({ by: 'eva', kinds: ['feedback'], reverse: true, limit: 1 })).toEqual([5])
        expect(await numbers({ by: "eva' OR 1" })).toEqual([])
      }),
    )

    it(
      'refuses a writer whose view is out of date, whole calls at a time, and goes on',
      withLog(async (log) => {
        const outcomes = await Promise.allSettled([
          log.append('a', 1, [record(1)]),
          log.append('a', 1, [record(2), record(3)]),
          log.append('a', 3, [record(4)]),
          log.append('a', 2, [record(5)]),
          log.append('b', 1, [record(6)]),
        ])
        expect(outcomes.map(({ status }) => status)).toEqual([
          'fulfilled',
          'rejected',
          'rejected',
          'fulfilled',
          'fulfilled',
        ])
        expect((outcomes[1] as PromiseRejectedResult).reason).toBeInstanceOf(Conflict)
        expect((await log.read('a')).map(({ time }) => time)).toEqual([1, 5])
        expect(await log.systems()).toEqual(['a', 'b'])
      }),
    )

    it(
      'keeps the order of calls made at once',
      withLog(async (log) => {
        await Promise.all(
          Array.from({ length: 300 }, (_, i) => log.append(i % 2 ? 'a' : 'b', (i >> 1) + 1, [record(i)])),
        )
        expect((await log.read('a')).map(({ time }) => time)).toEqual(Array.from({ length: 150 }, (_, i) => 2 * i + 1))
      }),
    )

    it(
      'reads by range, kind, limit, direction and stride as a filter over all records would',
      withLog(async (log) => {
        const kinds: RecordKind[] = ['sample', 'assessment', 'feedback']
        const all = Array.from({ length: 60 }, (_, i) => record(i, kinds[(i * i) % 3]))
        await log.append('a', 1, all)
        await fc.assert(
          fc.asyncProperty(
            fc.integer({ min: 1, max: 70 }),
            fc.integer({ min: 0, max: 70 }),
            fc.subarray(kinds),
            fc.integer({ min: 1, max: 80 }),
            fc.integer({ min: 1, max: 9 }),
            async (from, to, wanted, limit, stride) => {
              const fits = all
                .map((entry, i) => ({ ...entry, sequence: i + 1 }))
                .filter(
                  ({ sequence, kind }) =>
                    sequence >= from && sequence <= to && (wanted.length === 0 || wanted.includes(kind)),
                )
              const first = new Map<number, number>()
              for (const { sequence } of fits) {
                const bucket = Math.floor((sequence - from) / stride)
                if (!first.has(bucket)) first.set(bucket, sequence)
              }
              const numbers = (await log.read('a', { from, to, kinds: wanted, limit, stride })).map(
                ({ sequence }) => sequence,
              )
              expect(numbers).toEqual([...first.values()].slice(0, limit))
              const reversed = (await log.read('a', { from, to, kinds: wanted, limit, reverse: true })).map(
                ({ sequence }) => sequence,
              )
              expect(reversed).toEqual(
                fits
                  .map(({ sequence }) => sequence)
                  .reverse()
                  .slice(0, limit),
              )
            },
          ),
          { numRuns: 60 },
        )
        expect((await log.pick('a', [3, 99, 1])).map(({ sequence }) => sequence)).toEqual([3, 1])
      }),
    )

    it(
      'finds the first record at or after a time',
      withLog(async (log) => {
        await log.append(
          'a',
          1,
          [5, 5, 7, 9].map((time) => record(time)),
        )
        const found = await Promise.all([0, 5, 6, 7, 8, 9, 10].map((time) => log.sequenceAt('a', time)))
        expect(found).toEqual([1, 1, 3, 3, 4, 4, 5])
      }),
    )

    it(
      'keeps snapshots with the hash of their place, and gives the latest that is early enough',
      withLog(async (log) => {
        await log.append('a', 1, [record(1), record(2)])
        await log.append('a', 3, [record(3, 'snapshot')], { sequence: 2, bytes: Uint8Array.of(1, 2) })
        await log.append('a', 4, [record(4)])
        await log.append('a', 5, [record(5, 'snapshot')], { sequence: 4, bytes: Uint8Array.of(3) })
        const records = await log.read('a')
        expect(await log.snapshot('a', 1)).toBeUndefined()
        const early = await log.snapshot('a', 3)
        expect([early?.sequence, [...(early?.bytes ?? [])], early?.hash]).toEqual([2, [1, 2], records[1].hash])
        expect((await log.snapshot('a'))?.sequence).toBe(4)
      }),
    )

    it(
      'compacts so that the rest still verifies, and never forgets its end',
      withLog(async (log) => {
        await log.append('a', 1, [record(1), record(2)])
        await log.append('a', 3, [record(3, 'snapshot')], { sequence: 2, bytes: Uint8Array.of(1) })
        const before = await log.read('a')
        await log.compact('a', 2)
        expect(await log.extent('a')).toEqual({ first: 3, before: before[1].hash, last: 3, hash: before[2].hash })
        new ChainVerifier('a', { sequence: 2, hash: before[1].hash }).check((await log.read('a'))[0])
        expect((await log.snapshot('a'))?.sequence).toBe(2)
        await expect(log.compact('a', 3)).rejects.toThrow()
        await log.append('a', 4, [record(4)])
        await log.compact('a', 3)
        expect((await log.read('a')).map(({ sequence }) => sequence)).toEqual([4])
        expect(await log.sequenceAt('a', 0)).toBe(4)
      }),
    )

    it(
      'begins behind a cut made elsewhere, once',
      withLog(async (log) => {
        const hash = 'ab'.repeat(32)
        await log.begin('a', 7, hash)
        await expect(log.append('a', 1, [record(1)])).rejects.toThrow(Conflict)
        await log.append('a', 8, [record(1)], { sequence: 7, bytes: Uint8Array.of(1) })
        const [first] = await log.read('a')
        new ChainVerifier('a', { sequence: 7, hash }).check(first)
        expect(await log.extent('a')).toEqual({ first: 8, before: hash, last: 8, hash: first.hash })
        expect(await log.snapshot('a')).toMatchObject({ sequence: 7, hash })
        await expect(log.begin('a', 9, hash)).rejects.toThrow()
      }),
    )

    it(
      'removes a system with its records, states and cursors, says so in the log of the server, and frees the name',
      withLog(async (log) => {
        await log.append('a', 1, [record(1), record(2)])
        await log.append('a', 3, [record(3, 'snapshot')], { sequence: 2, bytes: Uint8Array.of(1) })
        await log.append('ab', 1, [record(4)])
        for (const cursor of ['hook a ', 'hook ab ', 'other']) await log.moveCursor(cursor, 3)
        await log.remove('a', record(5, 'deletion', '{"system":"a"}'), 'hook a ')
        expect([await log.read('a'), await log.extent('a'), await log.snapshot('a')]).toEqual([
          [],
          undefined,
          undefined,
        ])
        expect((await log.systems()).filter((system) => system !== SERVER_LOG)).toEqual(['ab'])
        expect(await Promise.all(['hook a ', 'hook ab ', 'other'].map((name) => log.cursor(name)))).toEqual([0, 3, 3])
        const said = await log.read(SERVER_LOG)
        expect(said.map(({ kind, body }) => [kind, body])).toEqual([['deletion', '{"system":"a"}']])
        await log.append('a', 1, [record(7, 'created')])
        expect((await log.read('a')).map(({ time }) => time)).toEqual([7])
        new ChainVerifier('a').check((await log.read('a'))[0])
        await log.append('ab', 2, [record(8)])
      }),
    )

    it(
      'remembers cursors',
      withLog(async (log) => {
        expect(await log.cursor('reader')).toBe(0)
        await log.moveCursor('reader', 7)
        await log.moveCursor('reader', 9)
        expect(await log.cursor('reader')).toBe(9)
      }),
    )
  })
}
