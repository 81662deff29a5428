import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import type { Random } from '@pb-oel/core'

/** Kinds of notes in the journal that disk-journal.c writes; bytes of the head of a note. */
const [CREATE, WRITE, TRUNCATE, SYNC, UNLINK, RENAME] = [1, 2, 3, 4, 5, 6]
const HEAD = 24
/** Bytes that a disk writes as one; a write of several can be torn between them. */
const SECTOR = 512

/** A change that no sync has made durable yet. */
type Change = { offset: number; data: Buffer } | { size: number }

/** What is in a file: as it would be after a power cut at the worst, and what came since. */
interface Content {
  durable: Buffer
  pending: Change[]
}

/** A name that appeared or, without a content, went; durable when the folder is synced. */
interface Naming {
  name: string
  content?: Content
}

/** The journal of this process and the switch of its disk, as disk-journal.c knows them. */
export interface DiskProbe {
  journal: number
  control: number
}

/** Opens the probe that the environment names; scripts/simulate.ts sets it. */
export function openProbe(): DiskProbe & { folder: string } {
  const { SIMULATED_DISK: folder, SIMULATED_JOURNAL: journal, SIMULATED_CONTROL: control } = process.env
  if (!folder || !journal || !control) throw new Error('the simulated disk is missing: start with npm run simulate')
  return { folder, journal: openSync(journal, 'r+'), control: openSync(control, 'r+') }
}

/**
 * The folder of one server, from its start to the next power cut. It follows the journal of what the process writes and
 * syncs, so that it knows at each moment what a power cut would leave: all that was synced for certain, and of the rest
 * any part.
 */
export class SimulatedDisk {
  readonly folder: string
  /** Syncs so far: what is durable changes with them only. */
  syncs = 0
  private readonly probe: DiskProbe
  private readonly named = new Map<string, Content>()
  private readonly durable = new Map<string, Content>()
  private namings: Naming[] = []
  private position = 0

  /** @param files what is on the disk at first */
  constructor(probe: DiskProbe, folder: string, files: ReadonlyMap<string, Buffer>) {
    this.probe = probe
    this.folder = folder
    this.full(false)
    writeFiles(folder, files)
    for (const [name, durable] of files) {
      const content = { durable, pending: [] }
      this.named.set(name, content)
      this.durable.set(name, content)
    }
    ftruncateSync(probe.journal, 0)
  }

  /** Whether files cannot grow. */
  full(is: boolean): void {
    writeSync(this.probe.control, Buffer.of(is ? 1 : 0), 0, 1, 0)
  }

  /** The files as they are for certain if the power went now. */
  synced(): Map<string, Buffer> {
    this.follow()
    return new Map([...this.durable].map(([name, { durable }]) => [name, durable]))
  }

  /** The files as the next process finds them while the power stays on. */
  files(): Map<string, Buffer> {
    this.follow()
    return new Map([...this.named].map(([name, { durable, pending }]) => [name, changed(durable, pending)]))
  }

  /** The files after a power cut: of what was not synced, chance decides, sector by sector. */
  cut(random: Random): Map<string, Buffer> {
    this.follow()
    // File systems keep the order of names.
    const kept = new Map(this.durable)
    apply(kept, this.namings.slice(0, random.integer(this.namings.length + 1)))
    const chance = [0, 1, random.uniform()][random.integer(3)]
    return new Map([...kept].map(([name, content]) => [name, survivors(content, random, chance)]))
  }

  private follow(): void {
    for (let chunk = this.read(); chunk.length > 0; chunk = this.read()) {
      let at = 0
      while (at + HEAD <= chunk.length) {
        const [kind, pathBytes, dataBytes] = [0, 4, 8].map((offset) => chunk.readUInt32LE(at + offset))
        const end = at + HEAD + pathBytes + dataBytes
        if (end > chunk.length) break
        const path = chunk.toString('utf8', at + HEAD, at + HEAD + pathBytes)
        const data = chunk.subarray(at + HEAD + pathBytes, end)
        this.take(kind, path, Number(chunk.readBigUInt64LE(at + 16)), data)
        at = end
      }
      this.position += at
    }
  }

  private read(): Buffer {
    const rest = fstatSync(this.probe.journal).size - this.position
    const buffer = Buffer.allocUnsafe(rest)
    return buffer.subarray(0, readSync(this.probe.journal, buffer, 0, rest, this.position))
  }

  private take(kind: number, path: string, offset: number, data: Buffer): void {
    // An earlier server's files may still be closed; the shared memory of a write-ahead log is never on the disk.
    if (!path.startsWith(this.folder) || path.endsWith('-shm')) return
    const name = basename(path)
    if (kind === SYNC && path === this.folder) {
      apply(this.durable, this.namings)
      this.namings = []
      this.syncs++
    } else if (kind === CREATE) this.name({ name, content: { durable: Buffer.alloc(0), pending: [] } })
    else if (kind === UNLINK) this.name({ name })
    else if (kind === RENAME) {
      const content = this.named.get(name)
      this.name({ name })
      this.name({ name: basename(data.toString()), content })
    } else this.change(this.named.get(name) as Content, kind, offset, data)
  }

  private name(naming: Naming): void {
    apply(this.named, [naming])
    this.namings.push(naming)
  }

  private change(content: Content, kind: number, offset: number, data: Buffer): void {
    if (kind === WRITE) content.pending.push({ offset, data })
    else if (kind === TRUNCATE) content.pending.push({ size: offset })
    else if (kind === SYNC) {
      content.durable = changed(content.durable, content.pending)
      content.pending = []
      this.syncs++
    }
  }
}

/** Writes files into a new folder. */
export function writeFiles(folder: string, files: ReadonlyMap<string, Buffer>): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes)
}

/** Closes the probe. */
export function closeProbe({ journal, control }: DiskProbe): void {
  closeSync(journal)
  closeSync(control)
}

function apply(names: Map<string, Content>, namings: readonly Naming[]): void {
  for (const { name, content } of namings) {
    if (content) names.set(name, content)
    else names.delete(name)
  }
}

function survivors({ durable, pending }: Content, random: Random, chance: number): Buffer {
  const kept = pending.flatMap((change) => (chance === 1 ? [change] : sectors(change)))
  return changed(
    durable,
    kept.filter(() => random.uniform() < chance),
  )
}

function sectors(change: Change): Change[] {
  if ('size' in change) return [change]
  const { offset, data } = change
  const parts: Change[] = []
  for (let from = 0; from < data.length; ) {
    const to = Math.min(data.length, from + SECTOR - ((offset + from) % SECTOR))
    parts.push({ offset: offset + from, data: data.subarray(from, to) })
    from = to
  }
  return parts
}

function changed(bytes: Buffer, changes: readonly Change[]): Buffer {
  let size = bytes.length
  const largest = changes.reduce((most, change) => Math.max(most, endOf(change)), size)
  const result = Buffer.alloc(largest)
  bytes.copy(result)
  for (const change of changes) {
    size = 'size' in change ? change.size : Math.max(size, endOf(change))
    if ('data' in change) change.data.copy(result, change.offset)
    else result.fill(0, change.size)
  }
  return result.subarray(0, size)
}

function endOf(change: Change): number {
  return 'size' in change ? change.size : change.offset + change.data.length
}
