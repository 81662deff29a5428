import type { Problem } from '@pb-oel/protocol'
import { ApiError, headers, reachable, systemPath } from '../api/client.ts'

/** A row as the server takes it. */
export interface SentRow {
  values: (number | null)[]
  trueLevel?: number
  at?: number
  mode?: 'full'
  /** A row that is sent again is not learned twice. */
  key: string
}

/** What became of the rows so far. */
export interface SentRows {
  rows: number
  refused: number
  /** Why the first one was refused. */
  reason?: string
}

/** Rows of one request. */
const CHUNK = 500
/** Milliseconds between two attempts while the server is away. */
const RETRY = 1_500

/** Sends rows in order and reports after each chunk. While the server is away it waits, and goes on where it was. */
export async function sendRows(
  system: string,
  rows: Iterable<SentRow>,
  onProgress: (sent: SentRows) => void,
  signal: AbortSignal,
): Promise<SentRows> {
  let sent: SentRows = { rows: 0, refused: 0 }
  for (const chunk of chunks(rows)) {
    const problems = await sendChunk(system, chunk, signal)
    const reason = sent.reason ?? problems[0]?.detail
    sent = {
      rows: sent.rows + chunk.length,
      refused: sent.refused + problems.length,
      ...(reason !== undefined && { reason }),
    }
    onProgress(sent)
  }
  return sent
}

/** The problems of a chunk; the other rows are on disk. */
export async function sendChunk(system: string, rows: readonly SentRow[], signal: AbortSignal): Promise<Problem[]> {
  const body = `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`
  for (;;) {
    signal.throwIfAborted()
    try {
      const response = await fetch(systemPath(system, '/samples'), {
        ...{ method: 'POST', body, signal },
        headers: { ...headers(), 'content-type': 'application/x-ndjson' },
      })
      const lines = (await response.text()).trim().split('\n')
      reachable.value = true
      if (response.ok) return lines.map((line) => JSON.parse(line)).filter((line) => 'status' in line)
      if (response.status < 500 && response.status !== 429) throw refusal(response, lines.join('\n'))
    } catch (error) {
      if (error instanceof ApiError) throw error
      if (!signal.aborted) reachable.value = false
    }
    await new Promise((done) => setTimeout(done, RETRY))
  }
}

function refusal(response: Response, text: string): ApiError {
  try {
    return new ApiError(response.status, JSON.parse(text).detail ?? response.statusText)
  } catch {
    return new ApiError(response.status, response.statusText)
  }
}

function* chunks(rows: Iterable<SentRow>): Generator<SentRow[]> {
  let chunk: SentRow[] = []
  for (const row of rows) {
    chunk.push(row)
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
