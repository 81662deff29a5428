import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DataError } from '../errors.ts'
import { CsvRows } from '../streams/csv.ts'
import { type DataSet, dataSetPath } from '../streams/data-sets.ts'
import { fileText } from '../streams/file-bytes.ts'
import { hashFiles } from '../streams/hash-files.ts'
import { describeStream } from '../streams/stream-info.ts'
import { openTable } from '../streams/table-stream.ts'
import { type DownloadWatch, download, HttpError } from './download.ts'

/** The data set cannot be reached now; the message says what to do without a network. */
export class DownloadError extends Error {}

/** What `getData` found or did. */
export interface LocalData {
  path: string
  sha256: string
  /** False when a whole copy was there already. */
  downloaded: boolean
}

/**
 * Makes sure a data set is in the cache: downloads what is missing, checks that it holds the channels and levels it
 * must, and notes its SHA-256 beside it. A copy that is there already is checked against that note.
 */
export async function getData(set: DataSet, watch: DownloadWatch = {}): Promise<LocalData> {
  const path = dataSetPath(set)
  const note = `${path}.sha256`
  if (existsSync(path)) {
    check(set, path)
    const sha256 = hashFiles([path])
    const noted = existsSync(note) ? readFileSync(note, 'utf8').trim() : undefined
    if (noted !== undefined && noted !== sha256) {
      throw new DataError(
        path,
        `has changed since it was downloaded (SHA-256 ${sha256}, noted ${noted}); delete it and try again`,
      )
    }
    if (noted === undefined) writeFileSync(note, `${sha256}\n`)
    return { path, sha256, downloaded: false }
  }
  mkdirSync(dirname(path), { recursive: true })
  let partial: string
  try {
    partial = await download(set.url, path, watch)
  } catch (error) {
    if (watch.signal?.aborted) throw error
    throw new DownloadError(offline(set, path, error as Error))
  }
  try {
    check(set, partial)
  } catch (error) {
    rmSync(partial)
    throw error
  }
  renameSync(partial, path)
  const sha256 = hashFiles([path])
  writeFileSync(note, `${sha256}\n`)
  return { path, sha256, downloaded: true }
}

/** Refuses a file that is not the data set. */
function check(set: DataSet, path: string): void {
  const open = () => new CsvRows(fileText(path), path)
  const { channels, levels } = describeStream(openTable({ path, name: set.name, open }, { missing: 'keep' }))
  const found = levels.map(({ count }) => count).sort((a, b) => a - b)
  const expected = [...set.levels].sort((a, b) => a - b)
  if (channels.length !== set.channels || found.join() !== expected.join()) {
    const shape = (width: number, counts: number[]) => `${width} channels and ${counts.join(' : ')} samples per level`
    throw new DataError(
      set.name,
      `the file has ${shape(channels.length, found)}, expected ${shape(set.channels, expected)}`,
    )
  }
}

function offline(set: DataSet, path: string, error: Error): string {
  const { cause } = error as { cause?: { code?: string; message?: string } }
  const why = error instanceof HttpError ? error.message : (cause?.code ?? cause?.message ?? error.message)
  return [
    `${set.name} cannot be downloaded from ${set.url} (${why}); what has arrived is kept, and the next call goes on from there.`,
    'Without a network: fetch that file on another machine and put it at',
    `  ${path}`,
    `or give its path where a stream is asked for. It is described at ${set.home}.`,
    'The simulated dive needs no download: use the stream dive.',
  ].join('\n')
}
