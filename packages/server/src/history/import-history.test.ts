import { describe, expect, it } from 'vitest'
import type { StoredRecord } from '../log/record.ts'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { Service } from '../service/service.ts'
import type { History } from './history.ts'
import { HistoryImport } from './import-history.ts'

const START = Date.parse('2026-01-01T00:00:00Z')
const ROWS = 24
/** Snapshots fall on rows with and without a label. */
const SNAPSHOT_ROWS = 6

/** Every seventh row has no label, and every fifth no second value. */
function history(rows = ROWS, start = START): History {
  return {
    name: `test-${start}`,
    channels: ['a', 'b'],
    levels: ['safe', 'unsafe'],
    rows,
    *read() {
      for (let t = 0; t < rows; t++) {
        const unsafe = (t >> 2) % 2
        const b = t % 5 === 4 ? Number.NaN : Math.cos(t * t)
        const level = t % 7 === 5 ? -1 : unsafe
        yield { x: Float64Array.of(Math.sin(t) + 3 * unsafe, b), level, time: start + 1000 * t }
      }
    },
  }
}

const take = (log: MemoryLog, past = history()) =>
  new HistoryImport(log, 'pump', past, {}, SNAPSHOT_ROWS).run({ seed: 7, missing: 'hold' }, {})
const records = (log: MemoryLog) => log.read('pump', { limit: 10_000 })

const whole = new MemoryLog()
const report = await take(whole)
const all = await records(whole)

/** The log as a crash after a record leaves it, with the snapshots so far. */
async function cut(length: number): Promise<MemoryLog> {
  const log = new MemoryLog()
  for (const record of all.slice(0, length)) {
    const { sequence } = record
    const snapshot = record.kind === 'snapshot' ? await whole.snapshot('pump', sequence - 1) : undefined
    await log.append('pump', sequence, [record], snapshot)
  }
  return log
}

/** Numbers of records after which a crash may leave the log: an input and what follows from it are one write. */
const ends = all
  .map(({ sequence }: StoredRecord) => sequence)
  .filter((n) => n === all.length || ['sample', 'feedback', 'snapshot'].includes(all[n].kind))

describe('an import', () => {
  it('that was stopped after any write goes on to the same log, record by record', async () => {
    expect(report).toMatchObject({ created: true, resumedAt: 0, imported: ROWS, labels: 21 })
    expect(all.filter(({ kind }) => kind === 'snapshot')).toHaveLength(4)
    expect(ends.length).toBeGreaterThan(2 * ROWS)
    for (const end of ends) {
      const log = await cut(end)
      const { resumedAt, imported, stateHash } = await take(log)
      expect(await records(log), `after record ${end}`).toEqual(all)
      expect([resumedAt + imported, stateHash], `after record ${end}`).toEqual([ROWS, report.stateHash])
    }
  })

  it('gives every record the time of its row, and writes none about the clock', () => {
    const samples = all.filter(({ kind }) => kind === 'sample')
    expect(samples.map(({ time }) => time)).toEqual(Array.from({ length: ROWS }, (_, t) => START + 1000 * t))
    expect(all.filter(({ kind }) => kind === 'clock' || kind === 'tick')).toEqual([])
  })

  it('is refused when other records have come behind the row it would go on with', async () => {
    const log = await cut(ends[20])
    const service = Service.empty(log)
    await service.load('pump')
    await service.sample('pump', { values: [0, 0] }, 'test')
    service.drop('pump')
    const before = await records(log)
    await expect(take(log)).rejects.toThrow(/has records up to .*, and row \d+ of the history is of 2026-01-01T00:00:/)
    expect(await records(log)).toEqual(before)
  })

  it('is refused when it is older than the system, and leaves the log as it was', async () => {
    const log = await cut(all.length)
    await expect(take(log, history(10, START - 1e9))).rejects.toThrow('the history begins at 2025-12-20')
    expect(await records(log)).toEqual(all)
  })

  it.each<[string, Partial<History>, string]>([
    [
      'without one of the channels',
      { channels: ['a', 'c'] },
      'system pump has a channel b, and the history has only a, c',
    ],
    [
      'with a level that the system has not',
      { levels: ['safe', 'odd'] },
      'has no level odd; its levels are safe, unsafe',
    ],
  ])('%s is refused, and leaves the log as it was', async (_, other, message) => {
    const log = await cut(all.length)
    await expect(take(log, { ...history(10, START + 1e9), ...other })).rejects.toThrow(message)
    expect(await records(log)).toEqual(all)
  })
})
