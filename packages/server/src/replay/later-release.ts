import { Configuration, ConfigurationChange, RECORD_KINDS, UnknownVersion } from '@pb-oel/protocol'
import { LaterRelease } from '../errors.ts'
import type { StoredRecord } from '../log/record.ts'

/** The latest edition that this release computes. */
const EDITION = 2

/** Does something with a record that a later release may have written; what it does not understand it refuses. */
export function understanding(system: string, { sequence, kind }: StoredRecord, work: () => void): void {
  if (!RECORD_KINDS.includes(kind)) throw new LaterRelease(system, sequence, `is a ${JSON.stringify(kind)} record`)
  try {
    work()
  } catch (error) {
    throw error instanceof UnknownVersion ? new LaterRelease(system, sequence, error.message) : error
  }
}

/** Refuses a configuration with a field or an edition that this release does not know: it would compute wrongly. */
export function checkConfiguration(system: string, sequence: number, configuration: Configuration): void {
  const { edition = 1 } = configuration
  if (edition > EDITION)
    throw new LaterRelease(system, sequence, `has edition ${edition}, and ${EDITION} is the latest`)
  checkFields(system, sequence, configuration, Configuration.properties)
}

/** The same for a change of a configuration. */
export function checkChange(system: string, sequence: number, change: ConfigurationChange): void {
  checkFields(system, sequence, change, ConfigurationChange.properties)
}

function checkFields(system: string, sequence: number, given: object, known: object): void {
  const unknown = Object.keys(given).find((field) => !Object.hasOwn(known, field))
  if (unknown !== undefined) throw new LaterRelease(system, sequence, `has a setting ${JSON.stringify(unknown)}`)
}
