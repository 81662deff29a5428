import { type Extensions, extensionsOf } from '@pb-oel/core'

/** Modules from outside: file URLs by the names that options have for them. */
export type ModuleFiles = Readonly<Record<string, string>>

/** Imports modules in the thread that calls. */
export async function loadModules(files: ModuleFiles): Promise<Extensions> {
  const modules: Record<string, unknown> = {}
  for (const [name, url] of Object.entries(files)) modules[name] = await import(url)
  return extensionsOf(modules)
}
