import { type Extensions, findMethod, OptionError } from '@pb-oel/core'
import { type Configuration, decodeBody } from '@pb-oel/protocol'
import { SetupError } from '../errors.ts'
import { makeAssessor } from '../fold/configure.ts'
import { decodeState } from '../fold/saved-state.ts'
import type { LogReader } from '../log/event-log.ts'
import { SERVER_LOG } from '../log/record.ts'

/** The refusal of a system whose options are wrong: they were right when it was created, so a module is missing now. */
export function missingModule(system: string, error: OptionError): SetupError {
  return new SetupError(`system ${system} cannot be loaded: ${error.message}; name its modules with --module`)
}

/**
 * Looks whether every method, detector and learner that the systems of a log name is there, without rebuilding them.
 * Systems with damage are passed over: that concerns nobody but them, and rebuilding says what it is.
 */
export async function checkModules(log: LogReader, extensions: Extensions): Promise<void> {
  const systems = (await log.systems()).filter((id) => id !== SERVER_LOG)
  await Promise.all(
    systems.map(async (system) => {
      try {
        checkNames(await firstConfiguration(log, system), extensions)
      } catch (error) {
        if (error instanceof OptionError) throw missingModule(system, error)
      }
    }),
  )
}

/** The configuration that a system was created with, or that its log begins with after compaction. */
export async function firstConfiguration(log: LogReader, system: string): Promise<Configuration> {
  const [first] = await log.read(system, { limit: 1 })
  if (first?.kind === 'created') return decodeBody('created', first.body, []).body.configuration
  const snapshot = await log.snapshot(system)
  return decodeState(snapshot?.bytes ?? new Uint8Array()).configuration
}

function checkNames(configuration: Configuration, extensions: Extensions): void {
  const { method, options } = configuration
  findMethod(method, extensions)
  // Only a model that names further parts is worth making for a look.
  if ('detector' in options || 'members' in options) makeAssessor(configuration, extensions)
}
