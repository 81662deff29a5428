import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { moduleFile } from './import-module.ts'

/** Paths that a module imports relative to itself. */
const RELATIVE_IMPORT = /(?:from|import)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g

/** Hash of a module and of every file it imports by a relative path, so that a change of either makes a new result. */
export function moduleHash(name: string): string {
  const hash = createHash('sha256')
  for (const file of filesOf(moduleFile(name), new Set())) hash.update(readFileSync(file))
  return hash.digest('hex')
}

function filesOf(file: string, found: Set<string>): Set<string> {
  if (found.has(file) || !existsSync(file)) return found
  found.add(file)
  for (const [, , target] of readFileSync(file, 'utf8').matchAll(RELATIVE_IMPORT)) {
    filesOf(resolve(dirname(file), target), found)
  }
  return found
}
