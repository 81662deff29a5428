import { existsSync } from 'node:fs'
import { DataError } from '@pb-oel/lab'
import type { NatsLog, NatsLogReader, SqliteLog, SqliteLogReader } from '@pb-oel/server'

/** Whether a store is named by the address of NATS servers and not by a file. */
function isNats(store: string): boolean {
  return /^(nats|tls):\/\//.test(store)
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
  if (isNats(store)) return NatsLog.open({ servers: store, shards, ...(cluster && { cluster }) })
  return SqliteLog.open(store)
}
