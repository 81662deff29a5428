import { signal } from '@preact/signals'
import type { ApiError } from '../api/client.ts'
import { type SentRow, sendChunk } from './send-rows.ts'

/** Rows of a file on their way to a system, as if they happened now. */
export interface Playing {
  system: string
  /** Rows sent so far, and all of them. */
  row: number
  rows: number
  /** Rows per second. */
  speed: number
  /** Why it ended before its end. */
  problem?: string
}

/** Milliseconds between two looks at the clock. */
const TICK = 200

/** What is being played; `null` when nothing is. */
export const playing = signal<Playing | null>(null)

let stopping: AbortController | undefined

/** Ends what is being played. */
export function stopPlaying(): void {
  stopping?.abort()
  playing.value = null
}

/** Changes the speed from now on. */
export function changeSpeed(speed: number): void {
  if (playing.value) playing.value = { ...playing.value, speed }
}

/** Sends the rows one by one at a speed, while the page is open. One file is played at a time. */
export async function play(system: string, rows: readonly SentRow[], speed: number): Promise<void> {
  stopPlaying()
  const end = new AbortController()
  stopping = end
  playing.value = { system, row: 0, rows: rows.length, speed }
  let due = 0
  let before = performance.now()
  try {
    while (playing.value && playing.value.row < rows.length) {
      await new Promise((done) => setTimeout(done, TICK))
      if (end.signal.aborted || !playing.value) return
      const now = performance.now()
      // A tab that was asleep goes on where it was instead of piling up.
      due = Math.min(due + ((now - before) / 1000) * playing.value.speed, playing.value.speed)
      before = now
      const { row }: Playing = playing.value
      const next = rows.slice(row, row + Math.floor(due))
      if (next.length === 0) continue
      due -= next.length
      await sendChunk(system, next, end.signal)
      if (playing.value) playing.value = { ...playing.value, row: row + next.length }
    }
    if (!end.signal.aborted) playing.value = null
  } catch (error) {
    if (!end.signal.aborted && playing.value) {
      playing.value = { ...playing.value, problem: (error as ApiError).message }
    }
  }
}
