import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { DataError } from '../errors.ts'

/** The bytes of a file, unpacked when its name ends in .gz. */
export function readBytes(path: string): Buffer {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new DataError(path, code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`)
  }
  if (!path.toLowerCase().endsWith('.gz')) return bytes
  try {
    return gunzipSync(bytes)
  } catch {
    throw new DataError(path, 'not a complete gzip file')
  }
}
