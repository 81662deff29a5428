import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DataError } from '../errors.ts'
import { checkExperiments } from './check-experiment.ts'
import type { ExperimentSet } from './experiment.ts'

/** Reads an experiment from a JSON file or from the default export of a module (.ts, .js, .mjs). */
export async function loadExperiment(path: string): Promise<ExperimentSet> {
  if (!existsSync(path)) throw new DataError(path, 'no such file')
  if (!path.endsWith('.json')) {
    const module = await import(pathToFileURL(resolve(path)).href).catch((error: Error) => {
      throw new DataError(path, `cannot be loaded: ${error.message}`)
    })
    if (module.default === undefined) throw new DataError(path, 'has no default export')
    return checkExperiments(module.default, path)
  }
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new DataError(path, `not JSON: ${(error as Error).message}`)
  }
  return checkExperiments(value, path)
}
