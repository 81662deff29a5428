import { isModule, modulesWithin } from '../modules/module-name.ts'
import { streamModules } from '../streams/stream-address.ts'
import type { Job } from './job.ts'

/** The modules that a job names: its method, its stream, and detectors and learners within its options. */
export function jobModules({ stream, method, options }: Job): string[] {
  return [...(isModule(method) ? [method] : []), ...streamModules(stream.address), ...modulesWithin(options)]
}
