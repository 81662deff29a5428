import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { SqliteLogReader } from '../log/sqlite-log.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { rebuild } from './recover.ts'
import { replaySystem } from './replay.ts'

/**
 * A store written in November 2026, before log records had a version: PB-OEL, PB-OEL+ with chosen questions, and a
 * compacted ARF; late and corrected answers, held channels, alarms, a changed configuration, snapshots. The JSON beside
 * it holds what the code of that day replayed it to.
 */
const FIXTURE = join(import.meta.dirname, 'fixtures/log-version-1')
const expected: Record<string, { from: number; to: number; assessments: number; stateHash: string; last: string }> =
  JSON.parse(readFileSync(`${FIXTURE}.json`, 'utf8'))

describe('a log of version 1', () => {
  const store = join(temporaryFolder(), 'old.db')
  writeFileSync(store, gunzipSync(readFileSync(`${FIXTURE}.db.gz`)))

  it.each(Object.keys(expected))(
    '%s replays bit for bit, from its first record and from its latest snapshot',
    async (id) => {
      const log = await SqliteLogReader.openReader(store)
      const { last, ...report } = expected[id]
      const { fold: _, system: __, ...found } = await replaySystem(log, id)
      expect(found).toEqual(report)
      expect((await log.read(id, { from: report.to }))[0].hash).toBe(last)
      expect((await rebuild(log, id)).stateHash()).toBe(report.stateHash)
      await log.close()
    },
  )
})
