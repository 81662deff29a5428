import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DataError } from '../errors.ts'
import { PREPARATIONS } from '../preparation/preparations.ts'
import { CsvRows } from '../streams/csv.ts'
import { type DataSet, dataSetPath, dataSetSource } from '../streams/data-sets.ts'
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
  /** False when nothing had to be fetched. */
  downloaded: boolean
}

/**
 * Makes sure a data set is in the cache: downloads what is missing, prepares it where that is needed, checks that it
 * holds the channels and levels it must, and notes its SHA-256 beside it. A copy that is there already is checked
 * against that note.
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
  const given = dataSetSource(set)
  const downloaded = given === undefined || !existsSync(given)
  const source = downloaded ? await fetched(set, given ?? path, watch) : given
  try {
    renameSync(prepared(set, source, path), path)
  } finally {
    // A file that somebody put there stays.
    if (downloaded) rmSync(source, { force: true })
  }
  const sha256 = hashFiles([path])
  writeFileSync(note, `${sha256}\n`)
  return { path, sha256, downloaded }
}

async function fetched(set: DataSet, target: string, watch: DownloadWatch): Promise<string> {
  try {
    return await download(set.url, target, watch)
  } catch (error) {
    if (watch.signal?.aborted) throw error
    throw new DownloadError(offline(set, target, error as Error))
  }
}

/** Makes the stream from what was downloaded, checks it, and returns where it is. */
function prepared(set: DataSet, source: string, path: string): string {
  const made = set.source === undefined ? source : `${path}.new`
  try {
    if (made !== source) writeLines(made, PREPARATIONS[set.name](source))
    check(set, made)
    return made
  } catch (error) {
    if (made !== source) rmSync(made, { force: true })
    if (!(error instanceof DataError)) throw error
    throw new DataError(set.name, `what came from ${set.url} is not this data set: ${error.message}`)
  }
}

/** Writes lines as they come, many at once. */
function writeLines(path: string, lines: Iterable<string>): void {
  const file = openSync(path, 'w')
  try {
    let text = ''
    for (const line of lines) {
      text += `${line}\n`
      if (text.length < 1 << 16) continue
      writeFileSync(file, text)
      text = ''
    }
    writeFileSync(file, text)
  } finally {
    closeSync(file)
  }
}

/** Refuses a file that is not the data set. */
function check(set: DataSet, path: string): void {
  const open = () => new CsvRows(fileText(path), path)
  const { channels, levels } = describeStream(openTable({ path, name: set.name, open }, { missing: 'keep' }))
  const found = levels.map(({ count }) => count).sort((a, b) => a - b)
  const expected = [...set.levels].sort((a, b) => a - b)
  if (channels.length !== set.channels || !agree(found, expected, set.tolerance ?? 0)) {
    const shape = (width: number, counts: number[]) => `${width} channels and ${counts.join(' : ')} samples per level`
    throw new DataError(
      set.name,
      `the file has ${shape(channels.length, found)}, expected ${shape(set.channels, expected)}`,
    )
  }
}

/** Whether the numbers of samples are those expected, together exactly and each within the tolerance. */
function agree(found: readonly number[], expected: readonly number[], tolerance: number): boolean {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
  const near = (count: number, i: number) => Math.abs(count - expected[i]) <= tolerance * expected[i]
  return found.length === expected.length && sum(found) === sum(expected) && found.every(near)
}

function offline(set: DataSet, path: string, error: Error): string {
  const { cause } = error as { cause?: { code?: string; message?: string } }
  const why = error instanceof HttpError ? error.message : (cause?.code ?? cause?.message ?? error.message)
  return [
    `${set.name} cannot be downloaded from ${set.url} (${why}); what has arrived is kept, and the next call goes on from there.`,
    'Without a network: fetch that file on another machine and put it at',
    `  ${path}`,
    set.source === undefined
      ? `or give its path where a stream is asked for. It is described at ${set.home}.`
      : `then say pb-oel data get ${set.name} again, which prepares it. It is described at ${set.home}.`,
    'The simulated dive needs no download: use the stream dive.',
  ].join('\n')
}
