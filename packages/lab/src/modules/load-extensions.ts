import { type Extensions, extensionsOf } from '@pb-oel/core'
import { importModule } from './import-module.ts'

/**
 * Imports modules and returns the methods, detectors, learners and streams that are their default exports, each by the
 * name it was given. A named error says when a module is missing, throws, or exports something else.
 *
 * @param names paths of .ts, .mts, .js or .mjs files, or packages such as `@acme/parrot`
 */
export async function loadExtensions(names: Iterable<string>): Promise<Extensions> {
  const modules: Record<string, unknown> = {}
  for (const name of new Set(names)) modules[name] = await importModule(name)
  return extensionsOf(modules)
}
