import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { DataError } from '../errors.ts'
import { asUtf8, type ByteSource, bytesSource } from './byte-source.ts'
import { Pulled } from './pulled.ts'
import { unreadable } from './unreadable.ts'

/** Bytes that are read at once. */
const PIECE = 1 << 20

/** The text of a file as UTF-8, piece by piece; unpacked when its name ends in .gz. */
export function fileText(path: string): ByteSource {
  return asUtf8(fileBytes(path))
}

/** The bytes of a file, piece by piece; unpacked when its name ends in .gz. */
export function fileBytes(path: string): ByteSource {
  if (!path.toLowerCase().endsWith('.gz')) return plainBytes(path)
  return smallUnpacked(path) ?? new Pulled<Uint8Array>({ kind: 'gunzip', path })
}

/** A packed file that is small, also when it is unpacked, needs no worker. */
function smallUnpacked(path: string): ByteSource | undefined {
  if (attempt(path, () => statSync(path)).size > PIECE) return undefined
  const packed = attempt(path, () => readFileSync(path))
  try {
    return bytesSource(gunzipSync(packed, { maxOutputLength: 16 * PIECE }))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined
    throw new DataError(path, 'not a complete gzip file')
  }
}

function plainBytes(path: string): ByteSource {
  const buffer = new Uint8Array(PIECE)
  let file: number | undefined = attempt(path, () => openSync(path, 'r'))
  const close = () => {
    if (file !== undefined) closeSync(file)
    file = undefined
  }
  return {
    next() {
      const open = file
      if (open === undefined) return undefined
      const count = attempt(path, () => readSync(open, buffer))
      if (count > 0) return buffer.subarray(0, count)
      close()
      return undefined
    },
    close,
  }
}

function attempt<T>(path: string, act: () => T): T {
  try {
    return act()
  } catch (cause) {
    throw new DataError(path, unreadable((cause as NodeJS.ErrnoException).code))
  }
}
