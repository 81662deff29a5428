import { BACKUPS } from '../backup/backups.ts'
import type { ClusterNode } from '../cluster/cluster-node.ts'
import type { Parts } from './parts.ts'

const HOUR = 3_600_000

/** Removes old records every hour, where the configuration says how many are to be kept. Returns how to end it. */
export function scheduleRetention({ options, service }: Parts): () => void {
  const { retention } = options
  if (!retention) return () => {}
  return service.time.clock.every(HOUR, () => void service.compactAll(retention.records))
}

/** Copies the store as often as the configuration says; of the workers of a cluster, one does. */
export function scheduleBackups(
  { options, service, backups, metrics, note, warn }: Parts,
  cluster: ClusterNode | undefined,
): () => void {
  const { everyHours } = options.backups ?? {}
  if (everyHours === undefined) return () => {}
  const copy = () =>
    backups.make().then(
      (file) => note({ file }, 'the store was backed up'),
      (error: Error) => {
        metrics.trouble()
        warn({ reason: error.message }, 'the store could not be backed up')
      },
    )
  const mine = () => cluster === undefined || cluster.locate(BACKUPS) === 'here'
  return service.time.clock.every(everyHours * HOUR, () => mine() && void copy())
}
