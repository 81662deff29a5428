import { setTimeout } from 'node:timers/promises'
import { Objm } from '@nats-io/obj'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../clock/testing/simulated-clock.ts'
import { Conflict, SetupError, Unconfirmed } from '../../errors.ts'
import { temporaryFolder } from '../../testing/folder.ts'
import { NATS_SERVER, NatsCluster } from '../../testing/nats-cluster.ts'
import { GENESIS, type NewRecord } from '../record.ts'
import { describeEventLog } from '../testing/conformance.ts'
import { BundleSource } from './bundle-source.ts'
import { connectNats, weaknessOf } from './connection.ts'
import { fromToken, shardOf, toToken } from './names.ts'
import { NatsLog } from './nats-log.ts'
import { NatsLogReader } from './nats-log-reader.ts'
import { Publisher } from './publisher.ts'
import { SimulatedNats } from './testing/simulated-nats.ts'

const record = (time: number, body = '{}'): NewRecord => ({ time, kind: 'sample', body })

describe.skipIf(!NATS_SERVER)('on a real server (needs nats-server 2.11)', () => {
  const folder = temporaryFolder()
  let cluster: NatsCluster
  let number = 0
  const options = () => ({ servers: cluster.url, cluster: `test-${number++}`, shards: 3 })

  beforeAll(async () => {
    cluster = await NatsCluster.start(folder, 1)
  })
  afterAll(() => cluster?.stop())

  describeEventLog('NatsLog', () => NatsLog.open(options()))

  describe('NatsLog', () => {
    it('refuses the second of two writers, with all that it had queued, and lets it go on after a look', async () => {
      const where = options()
      const one = await NatsLog.open(where)
      const two = await NatsLog.open(where)
      await one.append('a', 1, [record(1)])
      expect((await two.extent('a'))?.last).toBe(1)
      await two.append('a', 2, [record(2, '{"by":"two"}')])
      // The one still believes that record 2 is free; what it built on top of its own must not slip in behind the
      // other's.
      const late = await Promise.allSettled([
        one.append('a', 2, [record(3)]),
        one.append('a', 3, [record(4)]),
        setTimeout(1).then(() => one.append('a', 4, [record(5)])),
      ])
      expect(late.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
      expect((late[0] as PromiseRejectedResult).reason).toBeInstanceOf(Conflict)
      expect((await one.extent('a'))?.last).toBe(2)
      await one.append('a', 3, [record(6)])
      expect((await one.read('a')).map(({ time }) => time)).toEqual([1, 2, 6])
      await Promise.all([one.close(), two.close()])
    })

    it('shuts out an earlier writer by a fence, even when nothing is appended in between', async () => {
      const where = options()
      const old = await NatsLog.open(where)
      await old.append('a', 1, [record(1)])
      const heir = await NatsLog.open(where)
      await heir.fence('a')
      await expect(old.append('a', 2, [record(2)])).rejects.toThrow(Conflict)
      await heir.append('a', 2, [record(3)])
      const records = await heir.read('a')
      expect(records.map(({ sequence, time }) => [sequence, time])).toEqual([
        [1, 1],
        [2, 3],
      ])
      await Promise.all([old.close(), heir.close()])
    })

    it('never keeps a record twice when its answer is lost', async () => {
      const log = await NatsLog.open(options())
      await log.append('a', 1, [record(1)])
      const { connection } = log.cluster.nats
      const appends = Array.from({ length: 200 }, (_, i) => log.append('a', i + 2, [record(i + 2)]))
      for (let i = 0; i < 3; i++) {
        await setTimeout(5)
        await connection.reconnect()
      }
      await Promise.all(appends)
      expect((await log.read('a')).map(({ time }) => time)).toEqual(Array.from({ length: 201 }, (_, i) => i + 1))
      await log.close()
    })

    it('does not believe a server that only says it has a message', async () => {
      const where = options()
      const log = await NatsLog.open(where)
      const { nats, names } = log.cluster
      const source = new BundleSource(nats, names, where.shards)
      const publisher = new Publisher(nats, source, 'writer')
      const bundle = { first: 1, before: GENESIS, time: 1, records: [] }
      await publisher.publish('a', bundle, 0)
      // The server still remembers the id of a message that is gone.
      const { stream, subject } = source.address('a')
      await nats.jsm.streams.purge(stream, { filter: subject })
      const again = publisher.publish('a', bundle, 0)
      await expect(Promise.race([again, setTimeout(1_000, 'waiting')])).resolves.toBe('waiting')
      await log.close()
      await expect(again).rejects.toThrow(Unconfirmed)
    })

    it('finds records it has never seen among those of other systems', async () => {
      const where = { ...options(), shards: 1 }
      const log = await NatsLog.open(where)
      // Longer than what is read one by one and a page of what is read at once.
      for (let i = 0; i < 400; i++) {
        await Promise.all(['a', 'b.c', 'd e'].map((system) => log.append(system, i + 1, [record(10 * i)])))
      }
      await log.close()
      const reader = await NatsLogReader.openReader(where)
      expect(await reader.systems()).toEqual(['a', 'b.c', 'd e'])
      expect((await reader.pick('b.c', [150, 77, 1])).map(({ time }) => time)).toEqual([1490, 760, 0])
      expect((await reader.read('d e', { from: 90, to: 92 })).map(({ sequence }) => sequence)).toEqual([90, 91, 92])
      expect((await reader.read('a', { reverse: true, limit: 3 })).map(({ sequence }) => sequence)).toEqual([
        400, 399, 398,
      ])
      expect((await reader.read('a', { stride: 70, from: 5 })).map(({ sequence }) => sequence)).toEqual([
        5, 75, 145, 215, 285, 355,
      ])
      expect((await reader.read('a')).map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: 400 }, (_, i) => i + 1),
      )
      expect(await reader.sequenceAt('a', 1234)).toBe(125)
      await reader.close()
    })

    it('refuses servers that are too old before it makes anything there, unless told otherwise', async () => {
      const old: typeof connectNats = async (...where) => {
        const nats = await connectNats(...where)
        const info = { ...nats.connection.info, version: '2.9.10' }
        return { ...nats, connection: Object.create(nats.connection, { info: { value: info } }) }
      }
      const where = options()
      await expect(NatsLog.open(where, old)).rejects.toThrow(/2\.9\.10.*use 2\.11 or newer.*--allow-old-nats/)
      await expect(NatsLogReader.openReader(where)).rejects.toThrow('keep no log')
      await (await NatsLog.open({ ...where, allowOldServers: true }, old)).close()
      await (await NatsLogReader.openReader(where)).close()
    })

    it('writes states as the library of the object store does', async () => {
      const where = options()
      const log = await NatsLog.open(where)
      const bytes = Uint8Array.from({ length: 1_200_000 }, (_, i) => i % 251)
      await log.append('a', 1, [record(1)], { sequence: 1, bytes })
      const { nats, names } = log.cluster
      const store = await new Objm(nats.js).open(names.snapshots)
      await store.putBlob({ name: 'twin', options: { max_chunk_size: 512 * 1024 } }, bytes)
      const facts = (await store.list()).map(({ size, chunks, digest, options }) => ({ size, chunks, digest, options }))
      expect(facts[0]).toMatchObject({ size: bytes.length, chunks: 3 })
      expect(facts[1]).toEqual(facts[0])
      await log.close()
    })

    it('keeps pages of keys beside the states, for any worker, until the system goes', async () => {
      const where = options()
      const log = await NatsLog.open(where)
      const pageOf = (to: number) => ({ after: to - 1, to, time: to, keys: [[`k${to}`, to]] as [string, number][] })
      for (const n of [1, 2, 3]) {
        await log.append('a', n, [record(n)], { sequence: n, bytes: Uint8Array.of(n), keys: pageOf(n) })
      }
      await log.append('b', 1, [record(1)], { sequence: 1, bytes: Uint8Array.of(1), keys: pageOf(1) })
      const other = await NatsLog.open(where)
      expect(await other.keyPages('a')).toEqual([1, 2, 3].map(pageOf))
      await log.remove('a', record(1), 'a')
      expect(await other.keyPages('a')).toEqual([])
      expect(await other.keyPages('b')).toEqual([pageOf(1)])
      await other.close()
      await log.close()
    })

    it('finishes a deletion that another worker has decided and not finished', async () => {
      const where = options()
      const one = await NatsLog.open(where)
      await one.append('a', 1, [record(1), record(2)], { sequence: 1, bytes: Uint8Array.of(1) })
      const { nats, names } = one.cluster
      const source = new BundleSource(nats, names, where.shards)
      const last = await source.last('a')
      const deletion = { record: { ...record(5), kind: 'deletion' as const }, cursors: 'hook a ' }
      const end = { first: 3, before: last?.records[1].hash ?? '', time: 2, records: [], deletion }
      await new Publisher(nats, source, 'writer').publish('a', end, last?.place ?? 0)
      await expect(one.append('a', 3, [record(6)])).rejects.toThrow(Conflict)
      const heir = await NatsLog.open(where)
      await heir.fence('a')
      await expect(heir.append('a', 3, [record(6)])).rejects.toThrow('being deleted')
      expect([await heir.finishDeletion('a'), await heir.finishDeletion('a')]).toEqual([true, false])
      expect([await heir.systems(), await heir.snapshot('a')]).toEqual([['$server'], undefined])
      expect((await heir.read('$server')).map(({ kind, time }) => [kind, time])).toEqual([['deletion', 5]])
      await heir.append('a', 1, [record(7)])
      expect((await heir.read('a')).map(({ time }) => time)).toEqual([7])
      await Promise.all([one.close(), heir.close()])
    })

    it('says clearly what is wrong with an address, a name or a number of shards', async () => {
      await expect(NatsLog.open({ servers: 'http://x' })).rejects.toThrow(SetupError)
      await expect(NatsLog.open({ servers: 'nats://127.0.0.1:1' })).rejects.toThrow('no NATS server can be reached')
      await expect(NatsLog.open({ servers: cluster.url, cluster: 'a b' })).rejects.toThrow('a b')
      const where = options()
      await (await NatsLog.open(where)).close()
      await expect(NatsLog.open({ ...where, shards: 4 })).rejects.toThrow('3 shards')
      await expect(NatsLogReader.openReader({ servers: cluster.url, cluster: 'none' })).rejects.toThrow('none')
    })
  })
})

describe('how many samples share a message', () => {
  /** Samples per message where so many systems send one every `step` milliseconds, or each after its answer. */
  async function samplesPerMessage(systems: number, step?: number): Promise<number> {
    const clock = new SimulatedClock()
    const line = { clock, carry: () => clock.pause(5), alive: () => true }
    const nats = new SimulatedNats().connect(line)
    const log = await inTime(
      clock,
      NatsLog.open({ servers: '', shards: 1, replicas: 1 }, async () => nats),
    )
    let [messages, samples] = [0, 0]
    log.onCommit = (_, records) => {
      messages++
      samples += records
    }
    const end = clock.monotonic() + 2_000
    const client = async (system: string) => {
      for (let sequence = 1; clock.monotonic() < end; sequence++) {
        const stored = log.append(system, sequence, [record(sequence)])
        await (step === undefined ? stored : clock.pause(step))
      }
    }
    await inTime(clock, Promise.all(Array.from({ length: systems }, (_, i) => client(`system-${i}`))))
    return samples / messages
  }

  /** What a promise brings while the clock runs. */
  async function inTime<T>(clock: SimulatedClock, promise: Promise<T>): Promise<T> {
    let waiting = true
    const done = promise.finally(() => {
      waiting = false
    })
    while (waiting) await clock.advance(1)
    return done
  }

  it('grows where many systems send faster than they are answered', async () => {
    expect(await samplesPerMessage(20, 8)).toBeGreaterThan(2.5)
  })

  it('stays as it is where few systems write', async () => {
    expect(await samplesPerMessage(2, 8)).toBeLessThan(2)
  })

  it('is one where each client waits for its answer', async () => {
    expect(await samplesPerMessage(20)).toBe(1)
  })
})

it('knows which servers are too old to be trusted', () => {
  expect(['2.9.10', '1.4.1', '2.10.27', '2.11.0', '3.0.0'].map((release) => weaknessOf(release) !== undefined)).toEqual(
    [true, true, true, false, false],
  )
})

describe('names in NATS', () => {
  it('can be any text, and come back', () => {
    for (const text of ['boat', '$server', 'a.b c*>', 'ä=🚢']) {
      expect(toToken(text)).toMatch(/^[\w=-]+$/)
      expect(fromToken(toToken(text))).toBe(text)
    }
    // printf boat | sha256sum → 25cdb46d…, modulo 64. Another value would lose every system.
    expect(shardOf('boat', 64)).toBe(0x25cdb46d % 64)
  })
})
