import { closeSync, mkdtempSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DataError } from '../errors.ts'
import { fileBytes } from './file-bytes.ts'

/** Copies that last as long as the process: of what cannot be read twice, or not from its middle. */
let folder: string | undefined
let input: string | undefined
const copies = new Map<string, string>()

function newCopy(name: string): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'pb-oel-'))
    folder = made
    process.on('exit', () => rmSync(made, { recursive: true, force: true }))
  }
  return join(folder, name)
}

/** An unpacked copy of a .gz file; a Parquet file is read from its end. */
export function unpackedCopy(path: string): string {
  const made = copies.get(path) ?? newCopy(`${copies.size}.parquet`)
  if (copies.has(path)) return made
  const bytes = fileBytes(path)
  const file = openSync(made, 'w')
  try {
    for (let piece = bytes.next(); piece; piece = bytes.next()) writeAll(file, piece)
  } finally {
    closeSync(file)
    bytes.close()
  }
  copies.set(path, made)
  return made
}

/**
 * A copy of standard input, which is read to its end at the first call. Streams are read more than once, and a pipe
 * cannot be. The content decides about the format and so about the copy's name.
 */
export function spooledInput(): string {
  if (input !== undefined) return input
  const path = newCopy('stdin')
  const file = openSync(path, 'w')
  const buffer = new Uint8Array(1 << 20)
  let head: Uint8Array | undefined
  try {
    for (let count = readInput(buffer); count > 0; count = readInput(buffer)) {
      head ??= buffer.slice(0, Math.min(count, 512))
      writeAll(file, buffer.subarray(0, count))
    }
  } finally {
    closeSync(file)
  }
  if (head === undefined) throw new DataError('standard input', 'it is empty; expected a table')
  input = `${path}.${endingOf(head)}`
  renameSync(path, input)
  return input
}

/** Reads standard input; where nothing is there yet, it waits. */
function readInput(buffer: Uint8Array): number {
  for (;;) {
    try {
      return readSync(0, buffer)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EOF') return 0
      if (code !== 'EAGAIN') throw new DataError('standard input', `cannot be read (${code})`)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}

/** The ending that a table's first bytes call for. */
export function endingOf(head: Uint8Array): string {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'csv.gz'
  const text = new TextDecoder('latin1').decode(head).replaceAll('\0', '')
  if (text.startsWith('PAR1')) return 'parquet'
  const start = text.replace(/^(\u00ff\u00fe|\u00fe\u00ff|\u00ef\u00bb\u00bf)/, '').trimStart()
  if (/^(\{|\[\s*[-\d"tfn])/.test(start)) return 'ndjson'
  return /^(%|@(relation|attribute|data)\b)/i.test(start) ? 'arff' : 'csv'
}
