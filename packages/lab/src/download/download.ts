import { createWriteStream, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'

/** How a download is watched. */
export interface DownloadWatch {
  /** Called as bytes arrive; `total` is unknown when the server does not say. */
  onProgress?(bytes: number, total: number | undefined): void
  signal?: AbortSignal
  /** How often to try again after the connection broke. Default 4. */
  retries?: number
}

/** The server answered, but not with the file. */
export class HttpError extends Error {
  readonly status: number

  constructor(status: number) {
    super(`the server answered with status ${status}`)
    this.status = status
  }
}

/**
 * Downloads into `${target}.partial`, and goes on there after a break or in a later call. `${target}.tag` holds the
 * server's mark of the version, so that halves of different versions never meet. Returns the path of the whole file.
 */
export async function download(url: string, target: string, watch: DownloadWatch = {}): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await fetchRest(url, target, watch)
    } catch (error) {
      const final = error instanceof HttpError && error.status < 500
      if (watch.signal?.aborted || final || attempt === (watch.retries ?? 4)) throw error
      await setTimeout(250 * 2 ** attempt, undefined, { signal: watch.signal })
    }
  }
}

async function fetchRest(url: string, target: string, { onProgress, signal }: DownloadWatch): Promise<string> {
  const partial = `${target}.partial`
  const tagFile = `${target}.tag`
  const tag = existsSync(tagFile) ? readFileSync(tagFile, 'utf8') : undefined
  let have = tag !== undefined && existsSync(partial) ? statSync(partial).size : 0
  const headers: Record<string, string> = { 'accept-encoding': 'identity' }
  if (have > 0 && tag !== undefined) Object.assign(headers, { range: `bytes=${have}-`, 'if-range': tag })
  const response = await fetch(url, { headers, signal: signal ?? null })
  if (response.status === 416) {
    // What is here is as long as the file or longer: begin anew.
    rmSync(partial, { force: true })
    rmSync(tagFile, { force: true })
    throw new Error('the part downloaded before does not fit')
  }
  if (!response.ok || !response.body) throw new HttpError(response.status)
  if (response.status !== 206) have = 0
  const mark = response.headers.get('etag') ?? response.headers.get('last-modified')
  // A weak mark does not promise the same bytes.
  if (mark && !mark.startsWith('W/')) writeFileSync(tagFile, mark)
  else rmSync(tagFile, { force: true })
  const length = response.headers.get('content-length')
  const total = length === null ? undefined : have + Number(length)
  let bytes = have
  const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      bytes += chunk.length
      onProgress?.(bytes, total)
      yield chunk
    }
  }
  const body = Readable.fromWeb(response.body as import('node:stream/web').ReadableStream)
  await pipeline(body, counted, createWriteStream(partial, { flags: have > 0 ? 'a' : 'w' }), { signal })
  if (total !== undefined && bytes !== total) throw new Error(`the connection broke after ${bytes} of ${total} bytes`)
  rmSync(tagFile, { force: true })
  return partial
}
