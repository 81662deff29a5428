import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findMethod, type Method } from '@pb-oel/core'
import { DataError } from '../errors.ts'
import { isModule } from './experiment.ts'

/** The method of a name, or the one a module exports. */
export async function loadMethod(method: string): Promise<Method> {
  if (!isModule(method)) return findMethod(method)
  const module = await import(pathToFileURL(resolve(method)).href).catch((error: Error) => {
    throw new DataError(method, `cannot be loaded: ${error.message}`)
  })
  const exported: unknown = module.default
  if (typeof exported === 'function')
    return { name: method, title: method, role: 'rival', create: exported } as unknown as Method
  if (exported !== null && typeof exported === 'object' && 'create' in exported) return exported as Method
  throw new DataError(method, 'the default export is neither a method nor a function (task, options) => Assessor')
}
