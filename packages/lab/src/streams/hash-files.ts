import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'

/** SHA-256 of files one behind the other, in hexadecimal and in constant memory. */
export function hashFiles(paths: readonly string[]): string {
  const hash = createHash('sha256')
  const buffer = new Uint8Array(1 << 20)
  for (const path of paths) {
    const file = openSync(path, 'r')
    try {
      for (let count = readSync(file, buffer); count > 0; count = readSync(file, buffer)) {
        hash.update(buffer.subarray(0, count))
      }
    } finally {
      closeSync(file)
    }
  }
  return hash.digest('hex')
}
