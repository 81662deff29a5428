import { existsSync, readFileSync } from 'node:fs'
import { DataError } from '../errors.ts'
import { importModule } from '../modules/import-module.ts'
import { checkExperiments } from './check-experiment.ts'
import type { ExperimentSet } from './experiment.ts'

/** Reads an experiment from a JSON file or from the default export of a module (.ts, .mts, .js, .mjs). */
export async function loadExperiment(path: string): Promise<ExperimentSet> {
  if (!existsSync(path)) throw new DataError(path, 'no such file')
  if (!path.endsWith('.json')) {
    const module = await importModule(path)
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
