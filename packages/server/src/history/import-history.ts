import type { Extensions } from '@pb-oel/core'
import type { Configuration, SystemRequest } from '@pb-oel/protocol'
import { type Clock, systemClock } from '../clock/clock.ts'
import { Conflict, InvalidRequest } from '../errors.ts'
import { completeValues } from '../fold/complete-sample.ts'
import type { EventLog } from '../log/event-log.ts'
import type { LiveSystem } from '../service/live-system.ts'
import { Service } from '../service/service.ts'
import { samplesMade } from '../views/progress.ts'
import { wholeState } from '../views/system.ts'
import { type History, type ImportReport, type ImportWatch, placesOf, rowKey, rowOfKey } from './history.ts'

/** Who writes the records of an import. */
const BY = 'import'
/** Rows between two snapshots. Their places are fixed, so that a resumed import writes the same log. */
const SNAPSHOT_ROWS = 20_000
/** Rows that go to the disk together. The disk takes one part while the next one is assessed. */
const AHEAD = 2_048

/**
 * Takes a history into a system of a store that no server has open: each row is a sample at its own time, and its label
 * is an answer. The system is made where there is none.
 *
 * The records carry the times of the history, so the log is the same whenever it is written. An import that was stopped
 * goes on behind the last row that is on disk and ends in the same state, bit for bit. A history that is there already
 * changes nothing.
 *
 * @param given what a new system is, besides the channels and levels of the history
 */
export async function importHistory(
  log: EventLog,
  system: string,
  history: History,
  given: Omit<SystemRequest, 'channels' | 'levels'> = {},
  watch: ImportWatch = {},
  extensions: Extensions = {},
): Promise<ImportReport> {
  return new HistoryImport(log, system, history, extensions, SNAPSHOT_ROWS).run(given, watch)
}

/** Where an import begins. */
interface Start {
  /** The first row that is not there yet. */
  row: number
  /** The assessment of the row before, where its answer is not there yet. */
  unanswered?: number
}

/** One import. {@link importHistory} is the way to it; tests choose other places of snapshots. */
export class HistoryImport {
  private readonly log: EventLog
  private readonly system: string
  private readonly history: History
  private readonly service: Service
  private readonly snapshotRows: number
  /** The time of the row that is being written. */
  private now = 0
  private last: number[] | undefined

  constructor(log: EventLog, system: string, history: History, extensions: Extensions, snapshotRows: number) {
    this.snapshotRows = snapshotRows
    this.log = log
    this.system = system
    this.history = history
    this.service = Service.empty(log, { clock: this.clock(), snapshotEvery: Infinity, extensions })
  }

  /** Time is that of the row that is being written, and nothing happens by itself. */
  private clock(): Clock {
    const now = () => this.now
    const never = () => () => {}
    return { ...systemClock, wall: now, monotonic: now, after: never, every: never }
  }

  async run(given: Omit<SystemRequest, 'channels' | 'levels'>, watch: ImportWatch): Promise<ImportReport> {
    const { system, history, service } = this
    const created = !(await this.log.systems()).includes(system)
    const start = created ? { row: 0 } : await this.findEnd()
    await this.checkTimes(start.unanswered === undefined ? start.row : start.row - 1)
    let live: LiveSystem
    if (created) {
      const { channels, levels } = history
      live = await service.create(system, { ...given, channels: [...channels], levels: [...levels] }, BY)
    } else {
      await service.load(system)
      live = service.get(system)
    }
    try {
      const { imported, labels } = await this.write(live, start, watch)
      await live.settle()
      const { stateHash } = await live.read(wholeState())
      return { system, created, rows: history.rows, resumedAt: start.row, imported, labels, stateHash }
    } finally {
      // Nothing is written at the end of an import that was stopped: the next call goes on as if it had not been.
      service.drop(system)
    }
  }

  /** How far an earlier call came. */
  private async findEnd(): Promise<Start> {
    const { log, system, history } = this
    let to: number | undefined
    for (;;) {
      const page = await log.read(system, {
        ...{ by: BY, reverse: true, limit: 1000, kinds: ['sample', 'feedback'] as const },
        ...(to !== undefined && { to }),
      })
      for (const { sequence, body } of page) {
        const found = rowOfKey(history.name, JSON.parse(body).key)
        if (!found) continue
        if (found.part === 'answer') return { row: found.row + 1 }
        const [assessment] = await log.pick(system, [sequence + 1])
        return { row: found.row + 1, unanswered: JSON.parse(assessment.body).assessment }
      }
      if (page.length < 1000) return { row: 0 }
      to = page[page.length - 1].sequence - 1
    }
  }

  /**
   * Sets the time to begin with, and refuses rows that are older than what the system has: the time of a log never
   * goes back.
   *
   * @param row the first one that is to be written
   */
  private async checkTimes(row: number): Promise<void> {
    let time: number | undefined
    let at = 0
    for (const candidate of this.history.read()) {
      time = candidate.time
      if (at++ === row) break
    }
    const first = Math.round(time ?? 0)
    if (!(first >= 0)) throw new InvalidRequest(`row ${at} is of a time before 1970 or of none: ${time}`)
    const [latest] = await this.log.read(this.system, { reverse: true, limit: 1 })
    // A snapshot that is still missing belongs to the time before the row.
    this.now = latest?.time ?? first
    if (at <= row || this.now <= first) return
    const [theirs, ours] = [this.now, first].map((time) => new Date(time).toISOString())
    const begins = row === 0 ? 'the history begins at' : `row ${at} of the history is of`
    throw new Conflict(
      `system ${this.system} has records up to ${theirs}, and ${begins} ${ours}: take it into a new system`,
    )
  }

  private async write(
    live: LiveSystem,
    start: Start,
    { onProgress, signal }: ImportWatch,
  ): Promise<{ imported: number; labels: number }> {
    const { history } = this
    const { configuration, lastValues } = (await live.read(wholeState())).system
    this.last = lastValues.length > 0 ? lastValues : undefined
    const places = this.places(configuration)
    const levels = history.levels.map((name) => this.levelOf(configuration, name))
    let assessment = await live.read(samplesMade())
    let imported = 0
    let labels = 0
    let row = -1
    let earlier: Promise<unknown> = Promise.resolve()
    let latest: Promise<unknown> = Promise.resolve()
    let saved: Promise<unknown> = Promise.resolve()
    for (const { x, level, time } of history.read()) {
      row++
      if (row < start.row - 1) continue
      this.now = Math.round(time)
      let answered: number | undefined = assessment
      if (row < start.row) answered = start.unanswered
      else {
        latest = this.sample(live, configuration, row, this.inOrder(x, places), level)
        assessment++
        imported++
      }
      if (level >= 0 && answered !== undefined) {
        latest = this.answer(live, row, answered, levels[level])
        labels++
      }
      latest.catch(() => {})
      if ((row + 1) % this.snapshotRows === 0) {
        // Two at once would be one.
        await saved
        if (row >= start.row) latest = saved = live.saveSnapshot()
        else await latest.then(() => this.mendSnapshot(live))
      }
      if (row % AHEAD !== AHEAD - 1) continue
      // While one part waits for the disk, the next one is assessed.
      await earlier
      earlier = latest
      onProgress?.(row + 1 - AHEAD, history.rows)
      signal?.throwIfAborted()
    }
    await latest
    onProgress?.(history.rows, history.rows)
    return { imported, labels }
  }

  /** Saves the snapshot that an earlier call was stopped before, if it was. */
  private async mendSnapshot(live: LiveSystem): Promise<void> {
    const [latest] = await this.log.read(this.system, { reverse: true, limit: 1 })
    if (latest.kind !== 'snapshot') await live.saveSnapshot()
  }

  /** Writes a sample. What the system would refuse is refused here, before anything else is under way. */
  private sample(
    live: LiveSystem,
    configuration: Configuration,
    row: number,
    values: (number | null)[],
    level: number,
  ): Promise<unknown> {
    try {
      this.last = completeValues(configuration, values, this.last).values
    } catch (error) {
      throw new InvalidRequest(`row ${row + 1}: ${(error as Error).message}`)
    }
    const mode = level >= 0 ? ({ mode: 'full' } as const) : {}
    const given = { values, at: this.now, key: rowKey(this.history.name, row, 'sample'), ...mode }
    return live.write({ kind: 'sample', given, by: BY })
  }

  private answer(live: LiveSystem, row: number, assessment: number, level: number): Promise<unknown> {
    const key = rowKey(this.history.name, row, 'answer')
    const given = { assessment, kind: 'label', level, at: this.now, key } as const
    return live.write({ kind: 'answer', given, by: BY })
  }

  private inOrder(x: Float64Array, places: readonly number[]): (number | null)[] {
    return places.map((place) => (Number.isNaN(x[place]) ? null : x[place]))
  }

  private places({ channels }: Configuration): number[] {
    const places = placesOf(channels, this.history.channels)
    if (Array.isArray(places)) return places
    throw new InvalidRequest(
      `system ${this.system} has a channel ${places.missing}, and the history has only ${this.history.channels.join(', ')}`,
    )
  }

  private levelOf({ levels }: Configuration, name: string): number {
    const level = levels.indexOf(name)
    if (level >= 0) return level
    throw new InvalidRequest(`system ${this.system} has no level ${name}; its levels are ${levels.join(', ')}`)
  }
}
