import { SqliteLog } from '../log/sqlite-log.ts'
import { ReadingThread } from '../reading/reading-thread.ts'
import { checkModules } from '../replay/check-modules.ts'
import { checkLogs } from '../service/background-check.ts'
import type { Recovery } from '../service/recovery.ts'
import type { Closers, Parts } from './parts.ts'

/** Begins to rebuild the systems; whatever is damaged is said. A system whose module is missing ends the start. */
export async function beginRecovery(parts: Parts, closers: Closers): Promise<Recovery> {
  const { service, metrics, options } = parts
  const { store = './pb-oel.db' } = options
  service.onDamage = (reason, system) => {
    metrics.trouble()
    parts.warn({ system, reason }, 'a part of the log is damaged')
  }
  const lost = parts.log instanceof SqliteLog ? await parts.log.lost() : 0
  if (lost > 0) {
    metrics.trouble()
    parts.warn({ store, lost }, 'the write-ahead log was damaged or cut: records that were acknowledged are missing')
  }
  await checkModules(parts.log, service.extensions)
  const recovery = await service.recover()
  const checked = recovery.finished.then(() => finishRecovery(parts, recovery))
  closers.push(async () => {
    parts.ending.abort()
    await recovery.stop()
    await checked
  })
  return recovery
}

/** Says which systems could not be rebuilt, and looks through the part of the logs that a start does not read. */
async function finishRecovery(parts: Parts, { damaged }: Recovery): Promise<void> {
  const { service, metrics, options, ending } = parts
  for (const [system, { message }] of damaged) {
    metrics.trouble()
    parts.warn({ system, reason: message }, 'a system cannot be rebuilt; the others go on')
  }
  if (ending.signal.aborted || !service.list().some(({ snapshotAt }) => snapshotAt > 0)) return
  const thread = new ReadingThread({ file: options.store ?? './pb-oel.db', standsBack: true })
  ending.signal.addEventListener('abort', () => void thread.end())
  await checkLogs(service, (system, through) => thread.call('verify', system, through), ending.signal)
  await thread.end()
}
