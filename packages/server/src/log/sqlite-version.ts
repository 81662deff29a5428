/**
 * What to say about a version of SQLite, where there is something to say.
 *
 * Versions before 3.51.3 have the WAL-reset bug (sqlite.org/wal.html#walresetbug): two connections that write or
 * checkpoint at the same moment can damage the file. 3.50.7 and 3.44.6 have the correction too. A store has one writing
 * connection, and the lock keeps it so; the bug is therefore a reason to warn, not to refuse.
 */
export function warningAboutSqlite(version: string): string | undefined {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  if (major !== 3 || minor > 51) return undefined
  const corrected: Record<number, number> = { 51: 3, 50: 7, 44: 6 }
  if (patch >= (corrected[minor] ?? Number.POSITIVE_INFINITY)) return undefined
  return (
    `SQLite ${version} can damage a store that two programs write to at once (the WAL-reset bug, corrected in 3.51.3). ` +
    'The lock of the store prevents that; open it with no other program, or run a Node release with a later SQLite.'
  )
}
