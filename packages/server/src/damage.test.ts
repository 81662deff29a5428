import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { SqliteLogReader } from './log/sqlite-log.ts'
import { replaySystem } from './replay/replay.ts'
import { serve } from './serve.ts'
import { CHILD_ENTRY, ChildServer } from './testing/child-server.ts'
import { temporaryFolder } from './testing/folder.ts'
import { send } from './testing/requests.ts'
import { samplesMade } from './views/progress.ts'
import { hashOfState } from './views/system.ts'

const folder = temporaryFolder()
const PLANT = { id: 'plant', channels: ['a', 'b'], levels: ['safe', 'unsafe'], options: { experts: 3 } }

const SAMPLES = 70
const base = join(folder, 'base.db')

/** A store with some samples whose server was killed, so that its write-ahead log is still there. */
beforeAll(async () => {
  const server = await ChildServer.start({ store: base, port: 0, snapshotEvery: 100 })
  await send(`${server.url}/v1/systems`, 'POST', PLANT)
  for (let i = 0; i < SAMPLES; i++) await send(`${server.url}/v1/systems/plant/samples`, 'POST', { values: [i, 1] })
  await server.kill()
})

/** A copy of it. */
function killedStore(name: string): string {
  const store = join(folder, name)
  copyFileSync(base, store)
  copyFileSync(`${base}-wal`, `${store}-wal`)
  return store
}

async function replay(store: string) {
  const log = await SqliteLogReader.openReader(store)
  const report = await replaySystem(log, 'plant')
  await log.close()
  return report
}

describe('a torn last record', () => {
  it('that was never acknowledged is dropped, and everything acknowledged is there', async () => {
    const store = killedStore('torn.db')
    const wal = readFileSync(`${store}-wal`)
    // Half of a frame of the write-ahead log, as a power cut in the middle of a write leaves it.
    appendFileSync(`${store}-wal`, wal.subarray(32, 32 + 2000))
    const server = await serve({ store, port: 0, logLevel: 'silent' })
    await server.recovered
    expect(await server.service.get('plant').read(samplesMade())).toBe(SAMPLES)
    await server.service.sample('plant', { values: [1, 2] }, 'test')
    await server.stop()
    const report = await replay(store)
    expect([report.assessments, report.difference]).toEqual([SAMPLES + 1, undefined])
  })

  it('is all or nothing wherever the write-ahead log is cut', async () => {
    const store = killedStore('cut.db')
    const wal = readFileSync(`${store}-wal`)
    for (const share of [0.2, 0.5, 0.77, 0.9, 0.99]) {
      const copy = join(folder, `cut-${share}.db`)
      copyFileSync(store, copy)
      writeFileSync(`${copy}-wal`, wal.subarray(0, Math.floor(wal.length * share)))
      const server = await serve({ store: copy, port: 0, logLevel: 'silent' }).catch((error: Error) => error)
      if (server instanceof Error) throw server
      await server.recovered
      const [system] = server.service.list()
      // A sample and its assessment are one transaction: never one without the other. The snapshot has a record too.
      const { sequence, samples } = system ? await system.overview() : { sequence: 1, samples: 0 }
      const marks = sequence > 101 ? 1 : 0
      expect(sequence).toBe(1 + marks + 2 * samples)
      await server.stop()
    }
  })
})

describe('a changed record', () => {
  function changed(name: string, sql: string): string {
    const store = killedStore(name)
    const db = new DatabaseSync(store)
    db.exec(sql)
    db.close()
    return store
  }

  /** What a server on a damaged store says about its system. */
  async function said(store: string): Promise<{ status: number; detail: string; healthy: number }> {
    const server = await serve({ store, port: 0, logLevel: 'silent', systems: [{ ...PLANT, id: 'other' }] })
    await server.recovered
    const { status, body } = await send(`${server.url}/v1/systems/plant`, 'GET')
    const ready = await send(`${server.url}/readyz`, 'GET')
    expect([ready.status, ready.body.detail]).toEqual([503, body.detail])
    const other = await send(`${server.url}/v1/systems/other/samples`, 'POST', { values: [1, 2] })
    const { systems } = (await send(`${server.url}/v1/systems`, 'GET')).body
    expect(systems.map(({ id, ready }: { id: string; ready: boolean }) => [id, ready])).toEqual([
      ['other', true],
      ['plant', false],
    ])
    await server.stop()
    return { status, detail: body.detail, healthy: other.status }
  }

  it('keeps its system out, with an error that names it, and no other; the replay finds it', async () => {
    const store = changed(
      'changed.db',
      `UPDATE records SET body = replace(body, '[60,1]', '[61,1]') WHERE sequence = 123`,
    )
    expect(await said(store)).toEqual({
      status: 503,
      detail: expect.stringContaining('log of plant: record 123 does not match its hash'),
      healthy: 200,
    })
    expect((await replay(store)).difference?.sequence).toBe(123)
  })

  it('that is missing is named too', async () => {
    const store = changed('missing.db', `DELETE FROM records WHERE sequence = 110`)
    expect(await said(store)).toMatchObject({ status: 503, detail: expect.stringContaining('record 110 is missing') })
  })

  it('before the latest snapshot is found in the background', async () => {
    const store = changed('early.db', `UPDATE records SET body = replace(body, '[7,1]', '[8,1]') WHERE sequence = 16`)
    const server = await serve({ store, port: 0, logLevel: 'silent' })
    await server.recovered
    const look = async () => {
      const { ready, reason } = await server.service.get('plant').overview()
      return [ready, reason]
    }
    await expect.poll(look).toEqual([true, expect.stringContaining('record 16 does not match its hash')])
    await server.stop()
  })

  it('whose whole chain was forged is found by recomputing the assessments', async () => {
    const store = killedStore('forged.db')
    const db = new DatabaseSync(store)
    const { chainHash, GENESIS } = await import('./log/record.ts')
    const rows = db.prepare('SELECT sequence, time, kind, body FROM records ORDER BY sequence').all()
    let hash = GENESIS
    for (const row of rows as { sequence: number; time: number; kind: 'sample'; body: string }[]) {
      const body = row.sequence === 9 ? row.body.replace('"level":0', '"level":1') : row.body
      hash = chainHash(hash, 'plant', row.sequence, { ...row, body })
      db.prepare('UPDATE records SET body = ?, hash = ? WHERE sequence = ?').run(body, hash, row.sequence)
    }
    db.close()
    const { difference } = await replay(store)
    expect(difference).toMatchObject({ sequence: 9 })
    expect(difference?.message).toContain('was recorded as assessment {"version":2,"assessment":3,"level":1')
  })

  it('a snapshot that was changed is not trusted: the log itself will do', async () => {
    const store = changed('snapshot.db', `UPDATE snapshots SET bytes = zeroblob(1000)`)
    const server = await serve({ store, port: 0, logLevel: 'silent' })
    await server.recovered
    expect(await server.service.get('plant').read(samplesMade())).toBe(SAMPLES)
    const live = await server.service.get('plant').read(hashOfState())
    await server.stop()
    const reader = await SqliteLogReader.openReader(store)
    const { difference, stateHash } = await replaySystem(reader, 'plant', 1 + 2 * SAMPLES + 1)
    await reader.close()
    expect([difference, stateHash]).toEqual([undefined, live])
  })
})

describe('a write-ahead log', () => {
  it.each([0, 0.9])('that was cut to %d of its length is noticed and said', async (share) => {
    const store = killedStore(`lost-${share}.db`)
    copyFileSync(`${base}-mark`, `${store}-mark`)
    const wal = readFileSync(`${store}-wal`)
    writeFileSync(`${store}-wal`, wal.subarray(0, Math.floor(wal.length * share)))
    const lines = await linesOf(store)
    expect(lines).toContain('records that were acknowledged are missing')
    // It is said once: the store goes on from what it has.
    expect(await linesOf(store)).not.toContain('are missing')
  })

  it('that is whole is not complained about', async () => {
    const store = killedStore('whole.db')
    copyFileSync(`${base}-mark`, `${store}-mark`)
    expect(await linesOf(store)).not.toContain('are missing')
  })

  /** What a server writes to its own log at the start. */
  async function linesOf(store: string): Promise<string> {
    const child = spawn(process.execPath, [CHILD_ENTRY, JSON.stringify({ store, port: 0 })])
    let lines = ''
    for await (const chunk of child.stdout) {
      lines += chunk
      if (lines.includes('\nlistening ') || lines.startsWith('listening ')) child.kill('SIGTERM')
    }
    return lines
  }
})

describe('a full disk', () => {
  const mountPoint = join(folder, 'small')
  mkdirSync(mountPoint)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', mountPoint]).status === 0

  it.skipIf(!mounted)(
    'refuses clearly, loses nothing, and recovers by itself (needs the right to mount a small tmpfs)',
    async () => {
      onTestFinished(() => void spawnSync('umount', ['-l', mountPoint]))
      const store = join(mountPoint, 'full.db')
      const server = await ChildServer.start({ store, port: 0, snapshotEvery: 100_000 })
      const url = `${server.url}/v1/systems/plant`
      await send(`${server.url}/v1/systems`, 'POST', PLANT)
      writeFileSync(join(mountPoint, 'filler'), Buffer.alloc(2 << 20))
      const acknowledged: number[] = []
      const refused: Awaited<ReturnType<typeof send>>[] = []
      for (let i = 0; refused.length === 0 && i < 20_000; i += 25) {
        const answers = await Promise.all(
          Array.from({ length: 25 }, (_, j) => send(`${url}/samples`, 'POST', { values: [i + j, j] })),
        )
        for (const answer of answers) {
          if (answer.status === 200) acknowledged.push(answer.body.assessment)
          else refused.push(answer)
        }
      }
      const full = refused.find(({ status }) => status === 507)
      expect(full).toMatchObject({ type: 'application/problem+json', body: { title: 'Storage unavailable' } })
      expect(full?.body.detail).toContain('nothing of this request was kept')
      // Those of the same moment that met the system while it was being rebuilt after the failed write are told so.
      for (const { status, body } of refused)
        if (status !== 507) expect([status, body.title]).toEqual([503, 'Not ready'])
      expect(acknowledged.length).toBeGreaterThan(50)
      expect(server.running).toBe(true)
      expect((await send(`${server.url}/readyz`, 'GET')).status).toBe(503)
      expect((await send(`${server.url}/healthz`, 'GET')).status).toBe(200)

      rmSync(join(mountPoint, 'filler'))
      await expect.poll(async () => (await send(`${server.url}/readyz`, 'GET')).status).toBe(200)
      const after = await send(`${url}/samples`, 'POST', { values: [1, 2] })
      expect(after.status).toBe(200)
      // What was refused left no gap: the next assessment follows the last acknowledged one.
      expect(after.body.assessment).toBe(acknowledged.length)
      expect(acknowledged.sort((a, b) => a - b)).toEqual(acknowledged.map((_, i) => i))
      const live = (await send(`${url}/state`, 'GET')).body.stateHash
      await server.kill()
      const report = await replay(store)
      expect([report.difference, report.assessments, report.stateHash]).toEqual([
        undefined,
        acknowledged.length + 1,
        live,
      ])
    },
  )
})
