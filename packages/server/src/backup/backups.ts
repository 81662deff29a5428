import { createReadStream, type ReadStream } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { NotFound } from '../errors.ts'
import type { EventLog } from '../log/event-log.ts'

/** A copy of the store. */
export interface Backup {
  file: string
  bytes: number
  /** When it was complete, milliseconds since 1970. */
  time: number
}

/** Whoever has the shard of this name makes the back-ups of a cluster, and has them. */
export const BACKUPS = 'back-ups'

const NAME = /^pb-oel-backup-[\dTZ-]+\.db$/
/** Ends the name of a copy that is not complete. */
const PARTIAL = '.partial'

/**
 * Copies of the store in a folder. A copy has its name only when it is complete and on disk, so whatever is in the list
 * can be restored. Copies that are asked for at the same moment are made one after the other.
 */
export class Backups {
  private readonly log: EventLog
  private readonly folder: string
  private readonly clock: () => number
  private readonly keep: number
  private last: Promise<unknown> = Promise.resolve()
  private lastTime = 0

  /** @param keep older copies than so many are removed; all are kept when left out */
  constructor(log: EventLog, folder: string, clock: () => number, keep = Number.POSITIVE_INFINITY) {
    this.log = log
    this.folder = folder
    this.clock = clock
    this.keep = keep
  }

  /** Makes a copy, after those that were asked for before. */
  make(): Promise<string> {
    const made = this.last.then(() => this.copy())
    this.last = made.catch(() => {})
    return made
  }

  /** The complete copies, latest first. */
  async list(): Promise<Backup[]> {
    const names = (await readdir(this.folder)).filter((name) => NAME.test(name))
    const all = await Promise.all(
      names.map(async (file) => {
        const { size, mtimeMs } = await stat(join(this.folder, file))
        return { file, bytes: size, time: Math.round(mtimeMs) }
      }),
    )
    return all.sort((a, b) => (a.file < b.file ? 1 : -1))
  }

  /** A copy to be sent; only names of the list are taken. */
  async read(file: string): Promise<{ bytes: number; stream: ReadStream }> {
    const found = (await this.list()).find((backup) => backup.file === file)
    if (!found) throw new NotFound(`there is no back-up ${file}`)
    return { bytes: found.bytes, stream: createReadStream(join(this.folder, file)) }
  }

  private async copy(): Promise<string> {
    // Two copies of one millisecond would have one name.
    this.lastTime = Math.max(this.clock(), this.lastTime + 1)
    const file = `pb-oel-backup-${new Date(this.lastTime).toISOString().replaceAll(/[:.]/g, '-')}.db`
    const partial = join(this.folder, file + PARTIAL)
    try {
      await this.log.backup(partial)
      const handle = await open(partial, 'r+')
      await handle.sync()
      await handle.close()
      await rename(partial, join(this.folder, file))
      // A power cut must not take the new name after the older copies are gone.
      await syncFolder(this.folder)
    } catch (error) {
      await rm(partial, { force: true })
      throw error
    }
    for (const { file: old } of (await this.list()).slice(this.keep)) await rm(join(this.folder, old), { force: true })
    return file
  }
}

/** Brings the names in a folder to the disk, where the operating system opens folders. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync()
  await handle?.close()
}
