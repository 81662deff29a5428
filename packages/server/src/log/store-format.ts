import type { DatabaseSync } from 'node:sqlite'

/** Marks an SQLite file as ours: the letters PBOE. */
const APPLICATION = 0x50424f45
/** The version of the tables that is written now. Stores from before there was a mark have the same tables. */
const FORMAT = 1
const TABLES = ['cursors', 'records', 'snapshots', 'systems']

/**
 * Looks whether a file is a store that this release can use, before anything is written to it. Returns whether it is
 * one: an empty file can become one. It runs in worker threads, so it throws plain errors.
 */
export function checkFormat(db: DatabaseSync): boolean {
  const application = pragma(db, 'application_id')
  const version = pragma(db, 'user_version')
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all()
  if (application === APPLICATION) {
    if (version <= FORMAT) return true
    throw new Error(`a later release wrote it, in format ${version}; this one knows format ${FORMAT}: upgrade pb-oel`)
  }
  if (application === 0 && tables.length === 0) return false
  if (application === 0 && TABLES.every((table) => tables.some(({ name }) => name === table))) return true
  throw new Error('it is an SQLite file of another program')
}

/** Marks a file as a store of the present format. */
export function stampFormat(db: DatabaseSync): void {
  // Written only where it is missing: an open must not need space on the disk.
  if (pragma(db, 'application_id') !== APPLICATION) db.exec(`PRAGMA application_id = ${APPLICATION}`)
  if (pragma(db, 'user_version') !== FORMAT) db.exec(`PRAGMA user_version = ${FORMAT}`)
}

function pragma(db: DatabaseSync, name: 'application_id' | 'user_version'): number {
  return db.prepare(`PRAGMA ${name}`).get()?.[name] as number
}
