import { createReadStream } from 'node:fs'
import { type MessagePort, type Transferable, workerData } from 'node:worker_threads'
import { createGunzip } from 'node:zlib'
import type { PullAnswer, PullTask } from './pulled.ts'
import { unreadable } from './unreadable.ts'

const { kind, path, port, answers } = workerData as PullTask & { port: MessagePort; answers: Int32Array }

/** The unpacked bytes of a file, in pieces that own their memory. */
async function* unpacked(): AsyncGenerator<Uint8Array> {
  const file = createReadStream(path, { highWaterMark: 1 << 18 })
  const gunzip = createGunzip({ chunkSize: 1 << 20 })
  file.on('error', (error) => gunzip.destroy(error))
  for await (const piece of file.pipe(gunzip)) yield Uint8Array.from(piece as Buffer)
}

async function answer(pieces: AsyncIterator<unknown>): Promise<PullAnswer<unknown>> {
  try {
    const { done, value } = await pieces.next()
    return done ? { end: true } : { piece: value }
  } catch (error) {
    const { code, message, name } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR') return { error: unreadable(code) }
    if (name === 'NoCell') return { error: message }
    return { error: kind === 'gunzip' ? 'not a complete gzip file' : `not a readable Parquet file (${message})` }
  }
}

/** The memory of a piece, which moves to the reader instead of being copied. */
function memoryOf(found: PullAnswer<unknown>): Transferable[] {
  const parts = 'piece' in found ? [found.piece].flat() : []
  return parts.filter((part) => ArrayBuffer.isView(part)).map(({ buffer }) => buffer as ArrayBuffer)
}

// Each kind loads only what it needs: a worker must be there at once.
const pieces = kind === 'gunzip' ? unpacked() : (await import('./parquet-pieces.ts')).parquetPieces(path)
port.on('message', async () => {
  const found = await answer(pieces)
  port.postMessage(found, memoryOf(found))
  Atomics.add(answers, 0, 1)
  Atomics.notify(answers, 0)
})
