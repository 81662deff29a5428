import type { SystemDetail } from '@pb-oel/protocol'
import { signal } from '@preact/signals'
import { request, sayFailed } from '../api/client.ts'
import { systemLink } from '../router.ts'
import { text } from '../strings/en.ts'
import { rowsOf, type TableFile } from '../table/table-file.ts'
import { clearDraft, type Draft, requestOf } from './draft.ts'
import { play } from './player.ts'
import { type SentRow, type SentRows, sendRows } from './send-rows.ts'

/** Rows per second at first, where the rest of a file is played. */
const SPEED = 10

/** How far a new system is. */
export interface Creation {
  /** `undefined` while the system itself is being made. */
  learning?: SentRows & { of: number }
  stop: () => void
}

/** What is being made; `null` when nothing is. */
export const creation = signal<Creation | null>(null)
/** What went wrong last. */
export const problem = signal('')

/** Makes the system, lets it learn the labelled rows, goes to its live view and plays the rest there. */
export async function createSystem(draft: Draft, table: TableFile | null): Promise<void> {
  const end = new AbortController()
  const stop = () => end.abort()
  creation.value = { stop }
  problem.value = ''
  const words = text.create
  try {
    const { id } = await request<SystemDetail>('POST', '/v1/systems', requestOf(draft))
    if (!table) return arrive(systemLink(id, 'connect'))
    const learned = Math.round(table.rows * draft.learned)
    const rows = sentRows(draft, table)
    const onProgress = (sent: SentRows) => {
      creation.value = { stop, learning: { ...sent, of: learned } }
    }
    onProgress({ rows: 0, refused: 0 })
    try {
      const { refused, reason = '' } = await sendRows(id, take(rows, learned), onProgress, end.signal)
      if (refused > 0) problem.value = words.refused(refused, reason)
    } catch (error) {
      if (!end.signal.aborted) problem.value = words.interrupted((error as Error).message)
    }
    // What is played is not answered: people and the figures see what the system says by itself.
    const rest = [...rows].map(({ trueLevel: _level, mode: _mode, at: _at, ...row }) => row)
    if (rest.length > 0 && !end.signal.aborted) void play(id, rest, SPEED)
    arrive(systemLink(id))
  } catch (error) {
    problem.value = sayFailed(error, words.failed)
  } finally {
    creation.value = null
  }
}

function arrive(address: string): void {
  location.hash = address
  clearDraft()
}

/** The rows of a file, each with the level that its cell stands for. */
function* sentRows({ levels }: Draft, table: TableFile): Generator<SentRow> {
  const places = new Map(levels.map(({ cell }, place) => [cell, place]))
  let number = 0
  for (const { values, level, at } of rowsOf(table)) {
    const trueLevel = level === undefined ? undefined : places.get(level)
    yield {
      values,
      ...(at !== undefined && { at }),
      ...(trueLevel !== undefined && { trueLevel, mode: 'full' as const }),
      key: `row-${++number}`,
    }
  }
}

/** The first so many; the rest stays in the iterator. */
function* take<T>(all: Iterator<T>, most: number): Generator<T> {
  for (let i = 0; i < most; i++) {
    const { value, done } = all.next()
    if (done) return
    yield value
  }
}
