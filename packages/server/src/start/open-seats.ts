import { availableParallelism } from 'node:os'
import { LIMITS } from '../http/limits.ts'
import type { NatsLog } from '../log/nats/nats-log.ts'
import { SqliteLog } from '../log/sqlite-log.ts'
import { ThreadSeats } from '../seat/thread-seats.ts'
import type { ServeOptions } from './serve-options.ts'

/** The threads of the systems, where they leave this one. */
export function openSeats(options: ServeOptions, log: SqliteLog | NatsLog): ThreadSeats | undefined {
  const { nats, store = './pb-oel.db', extensions, moduleFiles, limits = {} } = options
  // A machine of a cluster has several workers, each of them a process of its own.
  const { threads = nats ? 0 : Math.max(1, availableParallelism() - 1) } = options
  if (threads === 0 || !canLeave(options)) return undefined
  const { systemMegabytes = LIMITS.systemMegabytes, operationSeconds } = limits
  return new ThreadSeats(log, {
    ...{ threads, modules: moduleFiles, extensions, operationSeconds, guestMegabytes: 2 * systemMegabytes },
    ...(log instanceof SqliteLog && { store }),
  })
}

/** Whether systems can leave this thread: code from outside is here, and another thread must find it too. */
export function canLeave({ extensions = {}, moduleFiles }: ServeOptions): boolean {
  const { methods = {}, detectors = {}, learners = {} } = extensions
  return (
    moduleFiles !== undefined || [methods, detectors, learners].every((entries) => Object.keys(entries).length === 0)
  )
}
