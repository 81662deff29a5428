import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DataError } from '../errors.ts'
import { STREAM_FILE } from './stream-address.ts'

/** Paths of the stream files of a folder, by name. Folders within it are not looked into. */
export function folderStreams(folder: string): string[] {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch (cause) {
    throw new DataError(folder, `cannot be read as a folder of streams (${(cause as NodeJS.ErrnoException).code})`)
  }
  const found = names.filter((name) => STREAM_FILE.test(name)).sort()
  if (found.length === 0) {
    throw new DataError(folder, 'holds no stream: a .csv, .arff or .ndjson file (each also with .gz), or .parquet')
  }
  return found.map((name) => join(folder, name))
}
