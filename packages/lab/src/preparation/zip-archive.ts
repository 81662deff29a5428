import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32, inflateRawSync } from 'node:zlib'
import { DataError } from '../errors.ts'
import { type ByteSource, bytesSource, decodeText } from '../streams/byte-source.ts'
import { unreadable } from '../streams/unreadable.ts'

/** Signatures and sizes of the records of a zip file (PKWARE APPNOTE, sections 4.3.7, 4.3.12 and 4.3.16). */
const LOCAL = { signature: 0x04034b50, size: 30 }
const CENTRAL = { signature: 0x02014b50, size: 46 }
const END = { signature: 0x06054b50, size: 22 }
/** The comment behind the last record is at most so long. */
const LONGEST_COMMENT = 0xffff
/** No file that is read is larger than this, packed or unpacked, and neither is the directory. */
const LARGEST = 1 << 26
const STORED = 0
const DEFLATED = 8

interface Entry {
  name: string
  method: number
  encrypted: boolean
  crc: number
  packed: number
  size: number
  /** Where its local header begins. */
  offset: number
}

/**
 * Reads files of a zip archive, stored or deflated, one at a time and by the directory at the end of the archive.
 * Sizes and CRC-32 are checked, and a {@link DataError} says what is damaged.
 */
export class ZipArchive {
  private readonly path: string
  private readonly file: number
  private readonly entries: readonly Entry[]

  /** Opens the archive and reads its directory. */
  constructor(path: string) {
    this.path = path
    try {
      this.file = openSync(path, 'r')
    } catch (cause) {
      throw new DataError(path, unreadable((cause as NodeJS.ErrnoException).code))
    }
    try {
      this.entries = this.directory()
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** Names of all files, with their folders. */
  get names(): string[] {
    return this.entries.map(({ name }) => name)
  }

  /** The content of a file, by its name with or without the folders before it. */
  read(name: string): ByteSource {
    const entry = this.entries.find((entry) => entry.name === name || entry.name.endsWith(`/${name}`))
    if (!entry) {
      const some = this.names.slice(0, 8).join(', ')
      throw new DataError(this.path, `no file ${name} in the archive; it holds ${some || 'nothing'}`)
    }
    return bytesSource(this.unpacked(entry))
  }

  /** Lets go of the archive. */
  close(): void {
    closeSync(this.file)
  }

  private unpacked(entry: Entry): Uint8Array {
    if (entry.encrypted) throw this.damaged(entry, 'is encrypted')
    if (entry.method !== STORED && entry.method !== DEFLATED) {
      throw this.damaged(entry, `is packed by method ${entry.method}; expected 0 (stored) or 8 (deflated)`)
    }
    if (Math.max(entry.size, entry.packed) > LARGEST) {
      throw this.damaged(entry, `has ${entry.size} bytes; expected at most ${LARGEST}`)
    }
    const head = this.bytes(entry.offset, LOCAL.size)
    if (head.readUInt32LE(0) !== LOCAL.signature) throw this.damaged(entry, 'does not begin where the directory says')
    const start = entry.offset + LOCAL.size + head.readUInt16LE(26) + head.readUInt16LE(28)
    const packed = this.bytes(start, entry.packed)
    const content = entry.method === STORED ? packed : this.inflated(entry, packed)
    if (content.length !== entry.size) {
      throw this.damaged(entry, `has ${content.length} bytes; expected ${entry.size}`)
    }
    if (crc32(content) !== entry.crc) throw this.damaged(entry, 'is damaged: its CRC-32 is another')
    return content
  }

  private inflated(entry: Entry, packed: Uint8Array): Uint8Array {
    try {
      return inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.size) })
    } catch {
      throw this.damaged(entry, 'is damaged: it cannot be unpacked')
    }
  }

  private directory(): Entry[] {
    const end = this.end()
    const [count, size, offset] = [end.readUInt16LE(10), end.readUInt32LE(12), end.readUInt32LE(16)]
    if (count === 0xffff || offset === 0xffffffff) {
      throw new DataError(this.path, 'is a zip64 archive; expected one of less than 4 GiB and 65,535 files')
    }
    if (size > LARGEST) throw new DataError(this.path, `its directory has ${size} bytes; expected at most ${LARGEST}`)
    const bytes = this.bytes(offset, size)
    const entries: Entry[] = []
    for (let at = 0, i = 0; i < count; i++) {
      if (at + CENTRAL.size > size || bytes.readUInt32LE(at) !== CENTRAL.signature) {
        throw new DataError(this.path, `the directory of the archive is damaged at entry ${i + 1} of ${count}`)
      }
      const next = at + CENTRAL.size + bytes.readUInt16LE(at + 28)
      entries.push({
        name: decodeText(bytes.subarray(at + CENTRAL.size, next)),
        encrypted: (bytes.readUInt16LE(at + 8) & 1) !== 0,
        method: bytes.readUInt16LE(at + 10),
        crc: bytes.readUInt32LE(at + 16),
        packed: bytes.readUInt32LE(at + 20),
        size: bytes.readUInt32LE(at + 24),
        offset: bytes.readUInt32LE(at + 42),
      })
      at = next + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
    }
    return entries
  }

  /** The record at the end of the archive, which says where the directory is. */
  private end(): Buffer {
    const { size } = fstatSync(this.file)
    const length = Math.min(size, END.size + LONGEST_COMMENT)
    const tail = this.bytes(size - length, length)
    for (let at = length - END.size; at >= 0; at--) {
      if (tail.readUInt32LE(at) === END.signature) return tail.subarray(at)
    }
    throw new DataError(this.path, 'not a complete zip archive')
  }

  /** Exactly the bytes `at` … `at + length`. */
  private bytes(at: number, length: number): Buffer {
    const buffer = Buffer.alloc(length)
    for (let have = 0; have < length; ) {
      const count = readSync(this.file, buffer, have, length - have, at + have)
      if (count === 0) throw new DataError(this.path, 'the archive ends too early')
      have += count
    }
    return buffer
  }

  private damaged({ name }: Entry, trouble: string): DataError {
    return new DataError(this.path, `${name} ${trouble}`)
  }
}
