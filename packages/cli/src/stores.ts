import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { DataError } from '@pb-oel/lab'
import type { NatsLog, NatsLogReader, SqliteLog, SqliteLogReader } from '@pb-oel/server'

/** Whether a store is named by the address of NATS servers and not by a file. */
function isNats(store: string): boolean {
  return /^(nats|tls):\/\//.test(store)
}

/** What an SQLite file begins with. */
const SQLITE = 'SQLite format 3\0'

/** Whether a name is that of a store: NATS servers, or a file that is one. */
export async function isStore(name: string): Promise<boolean> {
  if (isNats(name)) return true
  const file = await open(name).catch(() => undefined)
  if (!file) return false
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SQLITE.length), 0, SQLITE.length, 0)
    return buffer.toString('latin1', 0, bytesRead) === SQLITE
  } finally {
    await file.close()
  }
}

/** The names of the systems in a store: all of them, or the one that is wanted. */
export async function systemsOf(
  log: SqliteLogReader | NatsLogReader,
  store: string,
  wanted: string | undefined,
): Promise<string[]> {
  const { SERVER_LOG } = await import('@pb-oel/server')
  const all = (await log.systems()).filter((system) => system !== SERVER_LOG)
  if (wanted === undefined) return all
  if (!all.includes(wanted)) throw new DataError(store, `there is no system ${wanted}`)
  return [wanted]
}

/** Opens a store that exists for reading: a file, or the log of a cluster. */
export async function openReader(store: string, cluster?: string): Promise<SqliteLogReader | NatsLogReader> {
  const { NatsLogReader, SqliteLogReader } = await import('@pb-oel/server')
  if (isNats(store)) return NatsLogReader.openReader({ servers: store, ...(cluster && { cluster }) })
  if (!existsSync(store)) throw new DataError(store, 'no such file')
  return SqliteLogReader.openReader(store)
}

/** Opens a store for writing, and makes it when there is none. */
export async function openStore(store: string, cluster?: string, shards?: number): Promise<SqliteLog | NatsLog> {
  const { NatsLog, SqliteLog } = await import('@pb-oel/server')
  if (isNats(store)) return NatsLog.open({ servers: store, shards, allowOldServers: true, ...(cluster && { cluster }) })
  return SqliteLog.open(store)
}
