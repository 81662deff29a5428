import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DataError } from '../errors.ts'

/**
 * The file of a module: paths are taken from the working directory, packages are looked up from there.
 *
 * @throws DataError when there is none
 */
export function moduleFile(name: string): string {
  if (!name.startsWith('@')) {
    const path = resolve(name)
    if (!existsSync(path)) throw new DataError(name, 'no such file')
    return path
  }
  try {
    return createRequire(join(process.cwd(), 'package.json')).resolve(name)
  } catch {
    throw new DataError(name, `no such package in ${join(process.cwd(), 'node_modules')} or above`)
  }
}

/** The address of the file of a module, for another thread to import. */
export function moduleUrl(name: string): string {
  return pathToFileURL(moduleFile(name)).href
}

/** Imports a module by its name; a {@link DataError} says when it is missing or throws. */
export async function importModule(name: string): Promise<Record<string, unknown>> {
  const url = moduleUrl(name)
  try {
    return await import(url)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new DataError(name, `cannot be loaded: ${message}`)
  }
}
