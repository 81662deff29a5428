import { type Configuration, decodeBody } from '@pb-oel/protocol'
import { NotFound } from '../errors.ts'
import { reconfigure } from '../fold/configure.ts'
import { setAside } from '../fold/names-and-limits.ts'
import { decodeState } from '../fold/saved-state.ts'
import { withChannel, withLevel } from '../fold/widen.ts'
import type { LogReader } from '../log/event-log.ts'
import { type ExportQuery, exportSystem } from './export-system.ts'

/** What to export of a store. */
export type StoredExport = Pick<ExportQuery, 'system' | 'format' | 'detail' | 'from' | 'to'>

/**
 * The samples of a system as a file, a piece at a time, from a store that nobody need serve.
 *
 * @param log a store that is open for reading
 */
export async function* exportStored(log: LogReader, wish: StoredExport): AsyncGenerator<Uint8Array> {
  const { channels, levels, options } = await storedConfiguration(log, wish.system)
  yield* exportSystem(log, { ...wish, channels, levels, pending: setAside(options) })
}

/** The present configuration of a system: that of its latest snapshot or first record, with the changes since. */
async function storedConfiguration(log: LogReader, system: string): Promise<Configuration> {
  const snapshot = await log.snapshot(system)
  const [created] = snapshot ? [] : await log.read(system, { kinds: ['created'], limit: 1 })
  if (!snapshot && !created) throw new NotFound(`there is no system ${system}`)
  let configuration = snapshot
    ? decodeState(snapshot.bytes).configuration
    : decodeBody('created', created.body, []).body.configuration
  for (let from = (snapshot?.sequence ?? 1) + 1; ; ) {
    const changes = await log.read(system, { from, kinds: ['configuration', 'channel', 'level'] })
    if (changes.length === 0) return configuration
    for (const { kind, body } of changes) {
      if (kind === 'channel') configuration = withChannel(configuration, decodeBody(kind, body, []).body)
      else if (kind === 'level') configuration = withLevel(configuration, decodeBody(kind, body, []).body)
      else configuration = reconfigure(configuration, decodeBody('configuration', body, []).body.change)
    }
    from = changes[changes.length - 1].sequence + 1
  }
}
