import { realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '../clock/clock.ts'
import { SetupError } from '../errors.ts'

/** Milliseconds to wait for a holder that is just ending. */
const PATIENCE = 1_000
const SQLITE_BUSY = 5

const SIGNATURE = `
CREATE TABLE IF NOT EXISTS holder (
  only INTEGER PRIMARY KEY CHECK (only = 1), process INTEGER NOT NULL, host TEXT NOT NULL, since TEXT NOT NULL
) STRICT`

/**
 * The right to write to a store, for one process at a time.
 *
 * It is SQLite's own write lock on a small file beside the store, `<store>-lock`, held as an open transaction. The
 * operating system ends it with the process, however that ends, so a killed server leaves nothing to clean up. The
 * file also shows that there was a store: it stays when the store is lost.
 *
 * Nothing else may open the file in this process: POSIX drops the locks of a process when it closes any descriptor of
 * the file. SQLite knows that and takes care of its own.
 */
export class StoreLock {
  /** Whether a store was here before. */
  readonly signed: boolean
  private readonly db: DatabaseSync
  private readonly store: string

  private constructor(store: string, db: DatabaseSync) {
    this.store = store
    this.db = db
    this.signed = holderOf(db) !== undefined
  }

  /**
   * Takes the lock of a store, or says who has it.
   *
   * @param patience milliseconds to wait for it
   */
  static take(store: string, patience = PATIENCE): StoreLock {
    let db: DatabaseSync
    try {
      db = new DatabaseSync(`${realPath(store)}-lock`, { timeout: patience })
    } catch (error) {
      throw new SetupError(`${store} cannot be locked: is its folder there and writable? (${(error as Error).message})`)
    }
    try {
      begin(db, store)
      return new StoreLock(store, db)
    } catch (error) {
      db.close()
      throw error
    }
  }

  /** Leaves the name of this process, for those who come later. Called when the store is there. */
  sign(): void {
    try {
      this.db.exec(SIGNATURE)
      this.db
        .prepare('INSERT OR REPLACE INTO holder VALUES (1, ?, ?, ?)')
        .run(process.pid, hostname(), new Date(systemClock.wall()).toISOString())
      this.db.exec('COMMIT')
    } catch {
      // A full disk must not stop a server that can still be read. The lock itself needs no space.
      if (this.db.isTransaction) this.db.exec('ROLLBACK')
    }
    begin(this.db, this.store)
  }

  /** Lets the next one in. */
  release(): void {
    if (this.db.isOpen) this.db.close()
  }
}

function begin(db: DatabaseSync, store: string): void {
  try {
    db.exec('BEGIN IMMEDIATE')
  } catch (error) {
    const { errcode = 0, message } = error as Error & { errcode?: number }
    if ((errcode & 0xff) !== SQLITE_BUSY) throw new SetupError(`${store} cannot be locked (${message})`)
    const holder = holderOf(db)
    const who = holder ? `process ${holder.process} on ${holder.host}, since ${holder.since}` : 'another process'
    throw new SetupError(`${store} is in use by ${who}: one server writes to a store at a time`)
  }
}

function holderOf(db: DatabaseSync): { process: number; host: string; since: string } | undefined {
  try {
    return db.prepare('SELECT process, host, since FROM holder').get() as ReturnType<typeof holderOf>
  } catch {
    // Nobody has signed yet, or somebody is signing right now.
    return undefined
  }
}

/** Two names of one file must not give two locks. */
function realPath(store: string): string {
  try {
    return realpathSync(store)
  } catch {
    const folder = dirname(resolve(store))
    try {
      return join(realpathSync(folder), basename(store))
    } catch {
      throw new SetupError(`${store}: there is no folder ${dirname(store)}`)
    }
  }
}
