import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { EVENT_DATA, RECORD_BODIES, RECORD_KINDS, reader } from '@pb-oel/protocol'
import { describe, expect, it } from 'vitest'
import { copyLog } from './log/copy-log.ts'
import type { StoredRecord } from './log/record.ts'
import { SqliteLog, SqliteLogReader } from './log/sqlite-log.ts'
import { replaySystem } from './replay/replay.ts'
import { whatIf } from './replay/what-if.ts'
import { temporaryFolder } from './testing/folder.ts'
import { followEvents } from './testing/follow.ts'
import { localServer } from './testing/local-server.ts'
import { send } from './testing/requests.ts'
import { wholeState } from './views/system.ts'

const FIXTURE = join(import.meta.dirname, 'replay/fixtures/log-version-1')
const expected: Record<string, { to: number; stateHash: string }> = JSON.parse(readFileSync(`${FIXTURE}.json`, 'utf8'))
const systems = Object.keys(expected)
const folder = temporaryFolder()

function freshStore(name: string): string {
  const store = join(folder, name)
  writeFileSync(store, gunzipSync(readFileSync(`${FIXTURE}.db.gz`)))
  return store
}

const store = freshStore('served.db')
const server = await localServer({ store, systems: [] })

describe('a store of version 1 behind a server of today', () => {
  it.each(systems)('%s: /log, /events and /samples show its records in the shapes of today', async (id) => {
    const url = `${server.url}/v1/systems/${id}`
    const { records } = (await send(`${url}/log?limit=1000`, 'GET')).body
    expect(records.length).toBeGreaterThan(100)
    for (const { kind, body } of records) {
      const { version, ...rest } = body
      expect(version).toBe(2)
      reader(RECORD_BODIES[kind as keyof typeof RECORD_BODIES], kind)(rest)
    }
    const { to } = expected[id]
    const kinds = RECORD_KINDS.filter((kind) => kind !== 'token')
    let followed = 0
    for await (const { id, event, data } of followEvents(`${url}/events?after=0&kinds=${kinds}`)) {
      reader(EVENT_DATA[event as keyof typeof EVENT_DATA], event)(data)
      followed++
      if (id === to) break
    }
    expect(followed).toBeGreaterThan(100)
    const { samples } = (await send(`${url}/samples?limit=5000`, 'GET')).body
    for (const sample of samples) reader(EVENT_DATA.assessment, 'sample')(sample)
  })

  it('shows held channels by name and answers by kind', async () => {
    const seen = { degraded: new Set<string>(), kinds: new Set<string>() }
    for (const id of systems) {
      const { samples } = (await send(`${server.url}/v1/systems/${id}/samples?limit=5000`, 'GET')).body
      const { channels } = (await send(`${server.url}/v1/systems/${id}`, 'GET')).body.configuration
      for (const { degraded = [], answer } of samples) {
        for (const name of degraded) expect(channels).toContain(name)
        for (const name of degraded) seen.degraded.add(name)
        if (answer) seen.kinds.add(answer.kind)
      }
    }
    expect(seen.degraded.size).toBeGreaterThan(0)
    expect([...seen.kinds].sort()).toEqual(['confirm', 'label', 'reject'])
  })

  it('goes on with records of version 2, and the mixed log replays', async () => {
    const [id] = systems
    const { channels } = (await send(`${server.url}/v1/systems/${id}`, 'GET')).body.configuration
    const values = channels.map((_: string, i: number) => i)
    const sample = await send(`${server.url}/v1/systems/${id}/samples`, 'POST', { values })
    const { assessment } = sample.body
    await send(`${server.url}/v1/systems/${id}/feedback`, 'POST', { assessment, kind: 'confirm' })
    // Time goes on, and it may raise an alarm.
    const { system, stateHash } = await server.service.get(id).read(wholeState())
    const report = await replaySystem(server.service.log, id, system.sequence)
    expect(report.difference).toBeUndefined()
    expect(report.stateHash).toBe(stateHash)
  })
})

describe('a store of version 1 elsewhere', () => {
  it('is copied word by word, to the same hashes', async () => {
    const from = await SqliteLogReader.openReader(freshStore('from.db'))
    const to = await SqliteLog.open(join(folder, 'to.db'))
    await copyLog(from, to)
    for (const id of systems) {
      const words = ({ body, hash }: StoredRecord) => [body, hash]
      expect((await to.read(id)).map(words)).toEqual((await from.read(id)).map(words))
      expect((await replaySystem(to, id)).stateHash).toBe(expected[id].stateHash)
    }
    await from.close()
    await to.close()
  })

  it('can be asked what if, with the same model and with another', async () => {
    const log = await SqliteLogReader.openReader(freshStore('what-if.db'))
    const whole = []
    for (const id of systems) if ((await log.extent(id))?.first === 1) whole.push(id)
    expect(whole.length).toBeGreaterThan(1)
    for (const id of whole) {
      const other = await whatIf(log, id, { method: 'majority' })
      expect(other.samples).toBeGreaterThan(100)
      expect(other.comparable).toBeGreaterThan(10)
      expect(other.recordedAccuracy).toBeGreaterThan(0)
    }
    await log.close()
  })
})
